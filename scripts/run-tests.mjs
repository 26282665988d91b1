// Runs the compiled test files, and records the results in .test-results.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { files, root } from './setup.mjs';
import { readResults, recordRun, resultsFile, skipLines } from './test-results.mjs';

/** The time in milliseconds without the start or end of a test after which a test file fails. The slowest test takes two minutes. */
const fileLimitMs = (process.env.CI ? 8 : 15) * 60_000;
/**
 * The factor between `fileLimitMs` and the time limit of the test runner for a whole file. The limit of the runner terminates a process in
 * an endless loop, in which the timer of file-limit.mjs does not run.
 */
const BLOCKED = 4;

/** The value of GOGC for tsc and the control plane. Less frequent garbage collection makes these short-lived Go programs faster. */
export const goGarbage = '400';

/** The maximum number of test files per process. Files share a process, because loading modules takes most of the time of a small file. */
const defaultFilesPerProcess = 30;
/** Matches the paths of test files that may share a process. */
const sharing = /^(packages|create-operator|examples|test\/(conformance|contract|docs|gate|generated))\//;
/** Matches code of a test file that requires a separate process: changes of global state, work at load time, or time measurements. */
const ownProcess =
  /^(await|before|after|beforeEach|afterEach)\b|^const .*= await |\bprocess\.(env|on|once|off|emit|exit|exitCode|chdir|memoryUsage|getActiveResourcesInfo)\b|\bmock\.|\bglobalThis\b|node:child_process|\bperformance\b/m;

/** Matches the paths of golden projects. Other tests run the tests of these projects. */
const goldenProjects = /(^|\/)(goldens|scaffold\/compared\/memcached)\//;

/** Matches tests that `npm run check` or `npm run test:control-plane` runs. */
const ELSEWHERE = /^test\/(architecture|control-plane)\//;
/**
 * Matches slow tests, which only `npm run test:all` runs: tests of whole programs, with many random cases, with a server under load, or with
 * hundreds of calls of webhooks.
 */
const LONG =
  /^test\/(apiserver-process|cache-guarantee|chaos|contract\/(policies|webhooks)-.*|examples|fuzz|kubectl|leader-election|limits|prometheus|scaffold|webhook-certificates)(\/|\.test\.ts$)|\.long\.test\.ts$/;

/** Reports whether a test file runs only in `npm run check` or on a real control plane. */
export function runsElsewhere(path) {
  return ELSEWHERE.test(path.split(sep).join('/'));
}

/** Reports whether `npm run test:all` runs a test file instead of `npm test`. */
export function isLong(path) {
  return LONG.test(path.split(sep).join('/'));
}

/** Returns the paths of the test files for which `desired` returns true, relative to the root. */
export function testFiles(desired) {
  return files(root, (name) => name.endsWith('.test.ts'))
    .map((path) => relative(root, path))
    .filter((path) => !goldenProjects.test(path.split(sep).join('/')) && desired(path));
}

/**
 * Runs test files, records the results, and prints the skipped tests with the reasons. Returns the exit code.
 * - `results`: the name of the record
 * - `environment`: additional environment variables
 * - `concurrency`: the number of processes that run at the same time (default: one more than the number of cores, at least 3)
 * - `inOrder`: whether the processes start in the order of `paths` (default: false)
 * - `filesPerProcess`: the maximum number of test files per process (default: 30)
 */
export function runTests(
  paths,
  { results, environment, concurrency = Math.max(2, availableParallelism()) + 1, inOrder = false, filesPerProcess },
) {
  const status = recordRun(results, paths, (record) =>
    spawnTests(paths, { results, record, environment, concurrency, inOrder, filesPerProcess }),
  );
  for (const line of skipLines(readResults(results)?.tests ?? [])) console.log(line);
  return status;
}

/** Returns the Node.js flags with which a test file fails if no test starts or ends for `limitMs` milliseconds. */
export function limitFlags(limitMs) {
  const limit = pathToFileURL(join(root, 'scripts', 'file-limit.mjs'));
  return [`--import=${limit.href}?ms=${limitMs}`, `--test-timeout=${limitMs * BLOCKED}`];
}

function spawnTests(paths, { results, record, environment = {}, concurrency, inOrder, filesPerProcess }) {
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
      ...programsOf(paths, { results, inOrder, filesPerProcess }),
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { GOGC: goGarbage, ...process.env, ...environment } },
  );
  return status ?? 1;
}

/** Divides test files into groups that run in the same process. Preserves the order of the first files of the groups. */
export function inProcesses(paths, filesPerProcess = defaultFilesPerProcess) {
  const processes = [];
  const open = new Map();
  for (const path of paths) {
    const name = path.split(sep).join('/');
    const isSharing = sharing.test(name) && !ownProcess.test(readFileSync(join(root, path), 'utf8'));
    const kind = isSharing ? name.split('/', 2).join('/') : name;
    const files = open.get(kind) ?? [];
    if (files.length === 0) processes.push(files);
    files.push(path);
    if (files.length < filesPerProcess) open.set(kind, files);
    else open.delete(kind);
  }
  return processes;
}

/**
 * Returns the paths of programs that run the test files, one program per process. Node.js starts programs in the order of their paths. With
 * `inOrder`, this order is equal to the order of the test files.
 */
export function programsOf(paths, { results, inOrder = false, filesPerProcess }) {
  const processes = inProcesses(paths, filesPerProcess);
  const digits = String(processes.length).length;
  return processes.map((files, at) => {
    if (files.length === 1 && !inOrder) return compiledPath(files[0]);
    // The name contains the test file, because reports about a killed process contain only the name of the program.
    const only = files.length === 1 ? `-${basename(files[0], '.test.ts')}` : '';
    return loadingProgram(files, `${results}-${String(at).padStart(digits, '0')}${only}`);
  });
}

/** Writes a program that imports the compiled test files, and returns the path of the program. */
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
