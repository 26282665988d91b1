// Prepares a clone: installs missing dependencies, and builds outdated files. Prints each step, or nothing if everything is up to date.
// Imports only built-in modules of Node.js, because the dependencies may not be installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { showHelp } from './help.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];
const stamps = join(root, 'node_modules', '.kubewright');
const { npm_execpath: caller } = process.env;
/** The command that runs npm: the npm that started this program, or otherwise the npm in PATH. */
export const npm = caller?.endsWith('npm-cli.js') ? [process.execPath, caller] : ['npm'];

/** Installs the dependencies and builds the clone if necessary. If a step fails, prints a message and exits with 1. */
export function setUp() {
  requireNode();
  const manifests = files(root, (name) => name === 'package.json' || name === 'package-lock.json');
  onChange('installed', digestOfContents(manifests), 'installing dependencies (npm install)', () => {
    // Does not use npm ci, because it rejects a lock file without the binaries of other platforms, which some registries do not have.
    const [command, ...args] = npm;
    run(command, [...args, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'], 'npm install');
  });
  const sources = files(root, (name) => /\.(ts|mts)$/.test(name) || /^tsconfig.*\.json$/.test(name));
  onChange('built', digestOfTimes(sources), 'building (tsc -b)', () => {
    run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', root], 'the build');
  });
}

/** Returns a text that changes with each build of changed sources. */
export function builtDigest() {
  return readFileSync(join(stamps, 'built'), 'utf8');
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(
    `Kubewright requires Node.js ${OLDEST_NODE.join('.')} or later; the current version is ${process.versions.node}`,
  );
}

function onChange(stamp, digest, what, work) {
  const path = join(stamps, stamp);
  if (existsSync(path) && readFileSync(path, 'utf8') === digest) return;
  const start = performance.now();
  console.error(`setup: ${what} …`);
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(path, digest);
  console.error(`setup: ${what} took ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

function run(command, args, what) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error || status !== 0) fail(`${what} failed${error ? `: ${error.message}` : ''}; see the output above`);
}

function fail(message) {
  console.error(`setup: ${message}`);
  process.exit(1);
}

/** Returns the sorted paths of all files with a matching name below a folder. Skips node_modules, dist, and hidden folders. */
export function files(folder, desired) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules' && entry.name !== 'dist')
        found.push(...files(path, desired));
    } else if (desired(entry.name)) found.push(path);
  }
  return found.toSorted();
}

function digestOfContents(paths) {
  return digest(paths.map((path) => [relative(root, path), readFileSync(path, 'utf8')]));
}
function digestOfTimes(paths) {
  return digest(paths.map((path) => [relative(root, path), statSync(path).mtimeMs, statSync(path).size]));
}
function digest(value) {
  return createHash('sha256')
    .update(JSON.stringify([process.versions.node, value]))
    .digest('hex');
}

/**
 * If npm runs this process as a script, sends SIGTERM to this process when the shell of the script exits. npm forwards SIGTERM only to the
 * shell, and some shells exit without forwarding the signal.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}

/** Reports whether the module with this URL is the main module of the process. Supports symbolic links in the path of the clone. */
export function isMain(url) {
  const [, program] = process.argv;
  return program !== undefined && url === pathToFileURL(realpathSync(program)).href;
}

if (isMain(import.meta.url)) {
  showHelp(`npm run build

Installs missing dependencies and builds all outdated files. Every other command does this first.

Options:
  -h, --help  print this help`);
  setUp();
}
