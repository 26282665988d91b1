// node scripts/fresh-environment.mjs COMMAND [ARG …]: runs a command as on a new machine. HOME and the temporary folder are empty, and
// their paths contain spaces. PATH contains only Node.js, npm, and basic POSIX tools, but not git, bash, Go, kubectl, or a container
// engine. Passes only the environment variables for network access. npm uses the settings and the download cache of this machine, and
// npm run test:all uses the results cache of this machine.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { resultsCache } from './results-cache.mjs';

/** The programs that npm and package scripts call. */
const TOOLS = [
  'sh',
  'env',
  'cat',
  'chmod',
  'cp',
  'dirname',
  'basename',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'sleep',
  'uname',
];
/** Matches variables for proxies, certificates, and npm settings. Without these variables, some machines cannot connect to a registry. */
const NETWORK = /^(https?_proxy|all_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|npm_config_.+|ci)$/i;
/** The variable that requests to run all tests of npm run test:all. */
const RERUN = 'KUBEWRIGHT_RERUN';

const folder = mkdtempSync(join(tmpdir(), 'kubewright-fresh-'));
// Allows all users to read the folder, because tests that run as root start programs as another user.
chmodSync(folder, 0o755);
try {
  const [command, ...args] = process.argv.slice(2);
  const env = environment();
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (error) console.error(`cannot run ${command} in a fresh environment: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function environment() {
  const [programs, home, temporary] = ['bin', 'a new home', 'temporary files'].map((name) => join(folder, name));
  for (const each of [programs, home, temporary]) mkdirSync(each);
  symlinkSync(process.execPath, join(programs, 'node'));
  for (const name of ['npm', 'npx', ...TOOLS]) {
    const path = programPath(name);
    if (path !== undefined) symlinkSync(path, join(programs, name));
  }
  const kept = Object.entries(process.env).filter(([name]) => NETWORK.test(name) || name === RERUN);
  return {
    npm_config_cache: npmCache(),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    ...Object.fromEntries(kept),
    KUBEWRIGHT_RESULTS_CACHE: resultsCache,
    PATH: programs,
    HOME: home,
    TMPDIR: temporary,
  };
}

/** Returns the path of the download cache of npm on this machine, so that npm does not download all packages again. */
function npmCache() {
  const { stdout } = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' });
  return stdout?.trim() || join(homedir(), '.npm');
}

function programPath(name) {
  const paths = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, name));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}
