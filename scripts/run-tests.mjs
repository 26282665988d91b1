// Runs test files on what they were compiled to, and records how each test ended in .test-results.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { files, root } from './setup.mjs';
import { readResults, recordRun, resultsFile, skipLines } from './test-results.mjs';

/** A file that takes longer hangs, and fails. The longest of those that do not takes four minutes, where a gate has the machine to itself. */
const fileLimitMs = (process.env.CI ? 8 : 15) * 60_000;

/** The compiler and a control plane are programs in Go, most of which end before their garbage is worth collecting so often. */
const goGarbage = '400';

/** Most of what a small test file costs is loading what it tests: so many share a process, of these folders. */
const filesAProcess = 12;
const sharing = /^(packages|create-operator|test\/(conformance|contract))\//;
/** What keeps a file in a process of its own: what it does to the process, to the tests of others or while it is loaded, and what it times. */
const ownProcess =
  /^(await|before|after|beforeEach|afterEach)\b|^const .*= await |\bprocess\.(env|on|once|off|emit|exit|exitCode|chdir|memoryUsage|getActiveResourcesInfo)\b|\bmock\.|\bglobalThis\b|node:child_process|\bperformance\b/m;

/** Where projects of their own are kept, whose tests are run with them. */
const keptProjects = /(^|\/)(goldens|scaffold\/compared\/memcached)\//;

/** The test files whose path passes, relative to the root. */
export function testFiles(wanted) {
  return files(root, (name) => name.endsWith('.test.ts'))
    .map((path) => relative(root, path))
    .filter((path) => !keptProjects.test(path.split(sep).join('/')) && wanted(path));
}

/**
 * Runs the files and returns the exit code. `results` names the record, `environment` is added to the environment of this process, and
 * `concurrency` processes run at a time: by default one more than there are cores, since each waits at times. Prints at the end which
 * tests were skipped and why.
 */
export function runTests(paths, { results, environment, concurrency = Math.max(2, availableParallelism()) + 1 }) {
  const status = recordRun(results, paths, (record) =>
    spawnTests(paths, { results, record, environment, concurrency }),
  );
  for (const line of skipLines(readResults(results)?.tests ?? [])) console.log(line);
  return status;
}

/** The flags of Node.js by which a test file fails that takes longer. */
export function limitFlags(limitMs) {
  const limit = pathToFileURL(join(root, 'scripts', 'file-limit.mjs'));
  return [`--import=${limit.href}?ms=${limitMs}`, `--test-timeout=${limitMs}`];
}

function spawnTests(paths, { results, record, environment = {}, concurrency }) {
  const { status } = spawnSync(
    process.execPath,
    [
      '--enable-source-maps',
      ...limitFlags(fileLimitMs),
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'cut-tests-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'results-reporter.mjs')}`,
      `--test-reporter-destination=${record}`,
      ...inProcesses(paths).map((files, at) => programOf(files, `${results}-${at}`)),
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { GOGC: goGarbage, ...process.env, ...environment } },
  );
  return status ?? 1;
}

/** The files that run in one process, for each of them; in the order of their first ones. */
export function inProcesses(paths) {
  const processes = [];
  const open = new Map();
  for (const path of paths) {
    const name = path.split(sep).join('/');
    const isSharing = sharing.test(name) && !ownProcess.test(readFileSync(join(root, path), 'utf8'));
    const kind = isSharing ? name.split('/', 2).join('/') : name;
    const files = open.get(kind) ?? [];
    if (files.length === 0) processes.push(files);
    files.push(path);
    if (files.length < filesAProcess) open.set(kind, files);
    else open.delete(kind);
  }
  return processes;
}

/** What a process runs: its one file, or one that is written to load them all. */
function programOf(files, name) {
  if (files.length === 1) return compiledPath(files[0]);
  const path = join(dirname(resultsFile(name)), `${name}.test.mjs`);
  const imports = files.map(
    (file) =>
      `import ${JSON.stringify(
        relative(dirname(path), join(root, compiledPath(file)))
          .split(sep)
          .join('/'),
      )};\n`,
  );
  writeFileSync(path, imports.join(''));
  return path;
}

/** packages/api/src/x.test.ts → packages/api/dist/x.test.js; test/kubectl/x.test.ts → test/dist/kubectl/x.test.js */
function compiledPath(path) {
  const parts = path.replace(/\.ts$/, '.js').split(sep);
  if (parts[0] === 'test' || (parts[0] === 'scripts' && parts[1] !== 'src')) parts.splice(1, 0, 'dist');
  else parts[parts.indexOf('src')] = 'dist';
  return join(...parts);
}
