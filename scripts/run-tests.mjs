// Runs the compiled test files and records the outcome of each test in .test-results.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { files, root } from './setup.mjs';
import { readResults, recordRun, resultsFile, skipLines } from './test-results.mjs';

/** Milliseconds without the start or end of a test until a test file fails. The slowest test takes two minutes on an idle machine. */
const fileLimitMs = (process.env.CI ? 8 : 15) * 60_000;
/** Factor for the limit of the runner for a whole file. The runner ends processes in an endless loop, which cannot end themselves. */
const BLOCKED = 4;

/** Value of GOGC for the compiler and the control plane. Most of these Go programs end before frequent garbage collection pays off. */
export const goGarbage = '400';

/** Maximum number of files that share a process. Loading the tested modules takes most of the time of a small test file. */
const filesAProcess = 12;
/** Matches the files that may share a process. */
const sharing = /^(packages|create-operator|test\/(conformance|contract))\//;
/** Reasons to run a file in its own process: effects on the process, on other tests or at load time, and timing measurements. */
const ownProcess =
  /^(await|before|after|beforeEach|afterEach)\b|^const .*= await |\bprocess\.(env|on|once|off|emit|exit|exitCode|chdir|memoryUsage|getActiveResourcesInfo)\b|\bmock\.|\bglobalThis\b|node:child_process|\bperformance\b/m;

/** Golden projects in the repository. Their tests run as part of other tests. */
const keptProjects = /(^|\/)(goldens|scaffold\/compared\/memcached)\//;

/** The architecture test is a check; the tests in control-plane need a real control plane. */
const ELSEWHERE = /^test\/(architecture|control-plane)\//;
/** Tests that run whole programs, many random cases, or a server under load. They take most of the time of all tests. */
const LONG =
  /^test\/(apiserver-process|cache-guarantee|chaos|examples|fuzz|leader-election|limits|scaffold)\/|\.long\.test\.ts$/;

/** Whether a test file runs only in a check or on a real control plane. */
export function runsElsewhere(path) {
  return ELSEWHERE.test(path.split(sep).join('/'));
}

/** Whether `npm run test:all` runs a test file, and `npm test` does not. */
export function isLong(path) {
  return LONG.test(path.split(sep).join('/'));
}

/** Returns the test files whose path matches, relative to the root. */
export function testFiles(desired) {
  return files(root, (name) => name.endsWith('.test.ts'))
    .map((path) => relative(root, path))
    .filter((path) => !keptProjects.test(path.split(sep).join('/')) && desired(path));
}

/**
 * Runs the files and returns the exit code. `results` names the record, `environment` is added to the environment of this process, and
 * `concurrency` processes run at the same time. The default is one more than the number of cores, since each process waits at times. With
 * `inOrder`, the processes start in the order of their first files. Prints at the end which tests were skipped and why.
 */
export function runTests(
  paths,
  { results, environment, concurrency = Math.max(2, availableParallelism()) + 1, inOrder = false },
) {
  const status = recordRun(results, paths, (record) =>
    spawnTests(paths, { results, record, environment, concurrency, inOrder }),
  );
  for (const line of skipLines(readResults(results)?.tests ?? [])) console.log(line);
  return status;
}

/** Returns the Node.js flags that fail a test file without progress at its time limit. */
export function limitFlags(limitMs) {
  const limit = pathToFileURL(join(root, 'scripts', 'file-limit.mjs'));
  return [`--import=${limit.href}?ms=${limitMs}`, `--test-timeout=${limitMs * BLOCKED}`];
}

function spawnTests(paths, { results, record, environment = {}, concurrency, inOrder }) {
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
      ...programsOf(paths, { results, inOrder }),
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { GOGC: goGarbage, ...process.env, ...environment } },
  );
  return status ?? 1;
}

/** Groups the files by process, in the order of the first file of each group. */
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

/**
 * Returns the programs of the processes for these files. Node.js sorts the programs by their paths. With `inOrder`, the paths have the order
 * of the files.
 */
export function programsOf(paths, { results, inOrder = false }) {
  const processes = inProcesses(paths);
  const digits = String(processes.length).length;
  return processes.map((files, at) => {
    if (files.length === 1 && !inOrder) return compiledPath(files[0]);
    // Reports on a killed process contain the name of its program.
    const only = files.length === 1 ? `-${basename(files[0], '.test.ts')}` : '';
    return loadingProgram(files, `${results}-${String(at).padStart(digits, '0')}${only}`);
  });
}

/** Writes a program that loads all of these files, and returns its path. */
function loadingProgram(files, name) {
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

/** Returns the path of a compiled test file, for example packages/api/dist/x.test.js for packages/api/src/x.test.ts. */
function compiledPath(path) {
  const parts = path.replace(/\.ts$/, '.js').split(sep);
  if (parts[0] === 'test' || (parts[0] === 'scripts' && parts[1] !== 'src')) parts.splice(1, 0, 'dist');
  else parts[parts.indexOf('src')] = 'dist';
  return join(...parts);
}
