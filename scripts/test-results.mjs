// Reads and writes the records of test runs in .test-results. A record exists only after a complete run.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

/** The folder of the records: KUBEWRIGHT_TEST_RESULTS, or by default .test-results. */
const folder = process.env.KUBEWRIGHT_TEST_RESULTS ?? join(root, '.test-results');

/** Returns the path of a record. `name` identifies the command, such as 'conformance' for `npm test`. */
export function resultsFile(name) {
  return join(folder, `${name}.json`);
}

/** Writes a record to a temporary file, and then renames the file, so that other processes never read an incomplete record. */
export function writeResults(name, record) {
  const path = resultsFile(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, JSON.stringify(record, undefined, 1));
  renameSync(`${path}.partial`, path);
}

/** Deletes the record of a previous run. */
export function removeResults(name) {
  rmSync(resultsFile(name), { force: true });
}

/** Reads a record. Returns undefined if the record does not exist or is not valid JSON. */
export function readResults(name) {
  return readJson(resultsFile(name));
}

/** Returns the combined results of `npm test` and `npm run test:all`; undefined if neither has recorded results. */
export function firstResults() {
  const records = ['conformance', 'all'].flatMap((name) => readResults(name) ?? []);
  if (records.length === 0) return undefined;
  return { files: records.flatMap(({ files }) => files), tests: records.flatMap(({ tests }) => tests) };
}

/**
 * Calls `run` with the path of the file to which the test reporter must write. When `run` returns, passes the reported results to
 * `complete`, and writes the record with the test files and the returned results. Returns the exit code of `run`. An interrupted run leaves
 * no record.
 */
export function recordRun(name, files, run, complete = (reported) => reported) {
  removeResults(name);
  mkdirSync(folder, { recursive: true });
  const partial = `${resultsFile(name)}.partial`;
  const status = run(partial);
  const reported = readJson(partial);
  rmSync(partial, { force: true });
  if (reported !== undefined) writeResults(name, { files, ...complete(reported) });
  return status;
}

/**
 * Combines the results of a run with the results of a second run of its skipped tests. The result of a test that ran twice is the second
 * result. A skipped suite that ran in the second run is replaced by its tests.
 */
export function combined(first, repeated) {
  const keyOf = ({ file, line, name }) => JSON.stringify([file, line, name]);
  const known = new Set([...repeated.tests, ...(repeated.suites ?? [])].map(keyOf));
  return [...first.tests.filter((test) => !known.has(keyOf(test))), ...repeated.tests];
}

/**
 * Returns the test files that contain the skipped tests of a record. If a helper module declares a skipped test, includes all test files in
 * the folder of the helper module.
 */
export function filesWithSkips({ files, tests }) {
  const skipped = tests.filter(({ outcome }) => outcome === 'skipped');
  const desired = new Set(
    skipped.flatMap(({ file, name }) => {
      if (files.includes(file)) return [file];
      const beside = files.filter((each) => dirname(each) === dirname(file));
      if (beside.length === 0) throw new Error(`no test file declares the skipped test '${name}' of ${file}`);
      return beside;
    }),
  );
  return files.filter((file) => desired.has(file));
}

/** Returns the names of the skipped tests and suites of a record. */
export function namesOfSkips({ tests }) {
  return [...new Set(tests.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name))];
}

/** Returns the numbers of passed, failed, and skipped tests. */
export function countsOf(tests) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of tests) counts[outcome]++;
  return counts;
}

/** Returns a line for each reason for skipped tests, with the number of skipped tests and their files. */
export function skipLines(tests) {
  const reasons = new Map();
  for (const { outcome, reason, file } of tests) {
    if (outcome !== 'skipped') continue;
    const found = reasons.get(reason) ?? { count: 0, files: new Set() };
    reasons.set(reason, found);
    found.count++;
    found.files.add(file);
  }
  return [...reasons].map(
    ([reason, { count, files }]) => `skipped: ${count} in ${[...files].toSorted().join(', ')}: ${reason}`,
  );
}

/** The maximum number of lines of an error, or of the output of a failed step, in the summary. */
const MOST_LINES = 20;

/** Returns the lines that describe each failed test: the position, the name, and the start of the error. */
export function failureLines(tests) {
  return tests
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap(({ file, line, name, error = 'no error is recorded' }) => [
      `failed: ${file}:${line}: ${name}`,
      ...indented(error.split('\n').slice(0, MOST_LINES)),
    ]);
}

/** Returns the lines that describe failures of a part of the gate, each with the first line and the end of its output. */
export function failedPartLines(part, failures) {
  return failures.flatMap(({ name, output }) => {
    const [first, ...others] = output.trim().split('\n');
    return [`failed: ${part}: ${name}`, ...indented([first, ...others.slice(1 - MOST_LINES)])];
  });
}

function indented(lines) {
  return lines.map((line) => `  ${line}`);
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
