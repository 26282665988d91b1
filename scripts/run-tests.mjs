// Runs the compiled test files, and records the results in .test-results.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeTaken, earlierResults, takenLine } from './earlier-results.mjs';
import { longestFirst } from './longest-tests.mjs';
import { files, root } from './setup.mjs';
import { bundleFlags } from './test-bundle.mjs';
import { readResults, recordRun, resultsFile, skipLines } from './test-results.mjs';

/** The time limit in milliseconds. A test file fails if no test starts or ends within this time. The slowest test takes two minutes. */
const fileLimitMs = (process.env.CI ? 8 : 15) * 60_000;
/**
 * The factor between `fileLimitMs` and the time limit of the test runner for a whole file. The limit of the runner terminates a process in
 * an endless loop, in which the timer of file-limit.mjs does not run.
 */
const BLOCKED = 4;

/**
 * The amount of executed bytecode, in bytes, after which V8 optimizes a function in a test process. The default of V8 in Node.js 20 is
 * 132 KiB. Most functions of a test process do not run for long enough to make up for the time that their optimization takes.
 */
const OPTIMIZATION_BUDGET = 2_000_000;

/** The value of GOGC for tsc and the control plane. Less frequent garbage collection makes these short-lived Go programs faster. */
export const goGarbage = '400';

/** The modules that make the test runner faster, and that report the processes of the tests. */
const preloaded = ['test-hooks', 'process-report'].map((name) => pathToFileURL(join(root, 'scripts', `${name}.mjs`)));
/** The number of processes that run at the same time. */
const defaultConcurrency = Math.max(2, availableParallelism()) + 1;
/** The maximum number of test files per process. Files share a process, because loading modules takes most of the time of a small file. */
const defaultFilesPerProcess = 30;
/** Matches the paths of test files that may share a process, up to the folder whose files share processes. */
const sharing =
  /^(packages\/[^/]+|create-operator|examples|scripts\/src|test\/(conformance|contract|docs|gate|generated|operators|protobuf|server))\//;
/**
 * Matches code of a test file that requires a separate process: changes of the global state of a process, child processes that block the
 * test process, and time measurements.
 */
const ownProcess =
  /\bprocess\.(on|once|off|emit|exit|exitCode|chdir|memoryUsage|getActiveResourcesInfo)\b|\bprocess\.env(\.\w+|\[[^\]]+\]) = |\bdelete process\.env\b|\bmock\.|\bglobalThis\b|node:child_process|@opentelemetry\/|\bperformance\b|^await (test|it|describe)\b/m;
/** Matches hooks for all tests of a file, and work at load time. In a shared process, the file needs a suite of its own. */
const ownSuite = /^(await|before|after|beforeEach|afterEach)\b|^const .*= await /m;

/** Matches the paths of golden projects. Other tests run the tests of these projects. */
const goldenProjects = /(^|\/)(goldens|scaffold\/compared\/memcached)\//;

/** Matches tests that `npm run check` or `npm run test:control-plane` runs. */
const ELSEWHERE = /^test\/(architecture|control-plane)\//;
/**
 * Matches slow tests, which only `npm run test:all` runs: tests of whole programs, with many random cases, with a server under load, with
 * hundreds of calls of webhooks, or with workloads whose time passes.
 */
const LONG =
  /^test\/(apiserver-process|cache-guarantee|chaos|contract\/((policies|webhooks)-.*|autoscaling|node-restriction|pod-security|workload-policies|workloads)|examples|fuzz|kubectl|leader-election|limits|prometheus|scaffold|webhook-certificates)(\/|\.test\.ts$)|\.long\.test\.ts$/;

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
 * - `longest`: the names of the test files that start first, as in longest-tests.mjs (default: no particular order)
 * - `filesPerProcess`: the maximum number of test files per process (default: 30)
 * - `names`: the names of the tests and suites to run (default: all)
 * - `inputsOf`: returns the inputs of the test files of a process, as in `earlierResults`. The results of a process are then taken from an
 *   earlier run with the same inputs. (default: all tests run)
 */
export function runTests(paths, options) {
  const { results, filesPerProcess, longest, inputsOf } = options;
  const grouped = inProcesses(paths, filesPerProcess);
  const processes = longest === undefined ? grouped : longestFirst(grouped, longest);
  const { running, taken, store } =
    inputsOf === undefined
      ? { running: processes, taken: [], store: () => {} }
      : earlierResults(results, processes, inputsOf);
  let programs = [];
  const run = (file) => {
    programs = programsOf(running, options);
    return spawnTests(programs, { ...options, file, processes });
  };
  const status = recordRun(results, paths, run, (reported) => {
    const outcomes = programs.map((program) => outcomeOf(program, reported));
    store(outcomes);
    const { tests, suites } = recordOf(reported);
    return {
      tests: [...tests, ...taken.flatMap(({ record }) => record.tests)],
      suites: [...suites, ...taken.flatMap(({ record }) => record.suites)],
      processes: reported.processes,
      earlier: describeTaken(taken, outcomes, ({ tests }) => tests.length),
    };
  });
  const { tests = [], earlier } = readResults(results) ?? {};
  for (const line of skipLines(tests)) console.log(line);
  if (earlier !== undefined) console.log(takenLine(results, earlier));
  return status;
}

/** Returns the outcome of one process of a run, as in `earlierResults`. `reported` is the record of results-reporter.mjs. */
function outcomeOf(program, { tests, suites, processes }) {
  const isOfProgram = (each) => each.program === relative(root, resolve(root, program));
  const record = recordOf({ tests: tests.filter(isOfProgram), suites: suites.filter(isOfProgram) });
  const { exitCode, cpuMs = 0 } = processes.find(isOfProgram) ?? {};
  const isGreen =
    exitCode === 0 && record.tests.length > 0 && record.tests.every(({ outcome }) => outcome !== 'failed');
  return { record, cpuMs, isGreen };
}

/** Returns the tests and suites of a run without their programs. */
function recordOf({ tests, suites }) {
  return { tests: tests.map(withoutProgram), suites: suites.map(withoutProgram) };
}

function withoutProgram(result) {
  const { program: _, ...others } = result;
  return others;
}

/** Returns the Node.js flags with which a test file fails if no test starts or ends for `limitMs` milliseconds. */
export function limitFlags(limitMs) {
  const limit = pathToFileURL(join(root, 'scripts', 'file-limit.mjs'));
  return [`--import=${limit.href}?ms=${limitMs}`, `--test-timeout=${limitMs * BLOCKED}`];
}

/** Returns the Node.js flags that run only the tests and suites with these names, or all tests without names. */
export function nameFlags(names) {
  return names.map((name) => `--test-name-pattern=^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`);
}

/** Runs the programs of some of the processes, and writes the results to `file`. Returns the exit code. */
function spawnTests(programs, { environment, concurrency = defaultConcurrency, names = [], file, processes }) {
  if (programs.length === 0) {
    writeFileSync(file, JSON.stringify({ tests: [], suites: [], processes: [] }));
    return 0;
  }
  const { status } = spawnSync(
    process.execPath,
    [
      `--interrupt-budget=${OPTIMIZATION_BUDGET}`,
      ...bundleFlags(processes),
      ...preloaded.map(({ href }) => `--import=${href}`),
      ...limitFlags(fileLimitMs),
      '--test',
      `--test-concurrency=${concurrency}`,
      ...nameFlags(names),
      `--test-reporter=${join(root, 'scripts', 'spec-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'cut-tests-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
      `--test-reporter=${join(root, 'scripts', 'results-reporter.mjs')}`,
      `--test-reporter-destination=${file}`,
      ...programs,
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
    const kind = kindOfProcess(path);
    const files = open.get(kind) ?? [];
    if (files.length === 0) processes.push(files);
    files.push(path);
    if (files.length < filesPerProcess) open.set(kind, files);
    else open.delete(kind);
  }
  return processes;
}

/** Returns a text that is the same for test files that may share a process. */
function kindOfProcess(path) {
  const name = path.split(sep).join('/');
  const [, folder] = sharing.exec(name) ?? [];
  if (folder === undefined || name.endsWith('.long.test.ts')) return name;
  const text = readFileSync(join(root, path), 'utf8');
  if (ownProcess.test(text)) return name;
  return ownSuite.test(text) ? `${folder} in suites` : folder;
}

/**
 * Returns the paths of programs that run the test files of processes, one program per process. Node.js starts programs in the order of
 * their paths. With `longest`, this order is equal to the order of the processes.
 */
function programsOf(processes, { results, longest }) {
  const digits = String(processes.length).length;
  return processes.map((files, at) => {
    if (files.length === 1 && longest === undefined) return compiledPath(files[0]);
    // The name contains the test file, because reports about a killed process contain only the name of the program.
    const only = files.length === 1 ? `-${basename(files[0], '.test.ts')}` : '';
    return loadingProgram(files, `${results}-${String(at).padStart(digits, '0')}${only}`);
  });
}

/**
 * Writes a program that imports the compiled test files, and returns the path of the program. If files share the process and one of them
 * needs a suite, the program loads each file in a suite, after the tests of the previous file have ended. The name of a suite is the path
 * of its file. A hook of the file then applies only to the tests of this file.
 */
export function loadingProgram(files, name) {
  const path = join(dirname(resultsFile(name)), `${name}.test.mjs`);
  const inSuites = files.length > 1 && files.some((file) => ownSuite.test(readFileSync(join(root, file), 'utf8')));
  const lines = files.map((file) => {
    const module = JSON.stringify(
      relative(dirname(path), join(root, compiledPath(file)))
        .split(sep)
        .join('/'),
    );
    if (!inSuites) return `import ${module};\n`;
    return `await describe(${JSON.stringify(file.split(sep).join('/'))}, async () => {\n  await import(${module});\n});\n`;
  });
  writeFileSync(path, `${inSuites ? "import { describe } from 'node:test';\n" : ''}${lines.join('')}`);
  return path;
}

/** Returns the path of a compiled test file, for example packages/api/dist/x.test.js for packages/api/src/x.test.ts. */
export function compiledPath(path) {
  const parts = path.replace(/\.ts$/, '.js').split(sep);
  if (parts[0] === 'test' || (parts[0] === 'scripts' && parts[1] !== 'src')) parts.splice(1, 0, 'dist');
  else parts[parts.indexOf('src')] = 'dist';
  return join(...parts);
}
