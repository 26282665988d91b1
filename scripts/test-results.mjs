// Reads and writes the records of test runs in .test-results. A record is written only when a run has ended; read errors name the solution.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

/** The folder of the records. KUBEWRIGHT_TEST_RESULTS can name another folder. */
const folder = process.env.KUBEWRIGHT_TEST_RESULTS ?? join(root, '.test-results');

/** Returns the path of the record of a kind of run. */
export function resultsFile(name) {
  return join(folder, `${name}.json`);
}

/** Writes a record in one step, so that a reader finds either the whole record or none. */
export function writeResults(name, record) {
  const path = resultsFile(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, JSON.stringify(record, undefined, 1));
  renameSync(`${path}.partial`, path);
}

/** Removes the record of an earlier run. */
export function removeResults(name) {
  rmSync(resultsFile(name), { force: true });
}

/** Returns a record; undefined if no run of this kind has ended, or if the record is not valid JSON. */
export function readResults(name) {
  return readJson(resultsFile(name));
}

/** Returns the results of `npm test` and `npm run test:all` together; undefined if neither has ended. */
export function firstResults() {
  const records = ['conformance', 'all'].flatMap((name) => readResults(name) ?? []);
  if (records.length === 0) return undefined;
  return { files: records.flatMap(({ files }) => files), tests: records.flatMap(({ tests }) => tests) };
}

/**
 * Calls `run` with the path to which the reporter writes. Records the tests and the files that ran when `run` returns; an interrupted
 * run leaves no record. Returns the exit code that `run` returned.
 */
export function recordRun(name, files, run) {
  removeResults(name);
  mkdirSync(folder, { recursive: true });
  const partial = `${resultsFile(name)}.partial`;
  const status = run(partial);
  const reported = readJson(partial);
  rmSync(partial, { force: true });
  if (reported !== undefined) writeResults(name, { files, tests: reported.tests });
  return status;
}

/**
 * Combines the tests of a run with the tests of a later run that repeated some of its files. For a repeated file, the second result counts.
 */
export function combined(first, repeated) {
  const again = new Set(repeated.files);
  const keyOf = ({ file, line, name }) => JSON.stringify([file, line, name]);
  const known = new Set(repeated.tests.map(keyOf));
  return [...first.tests.filter((test) => !again.has(test.file) && !known.has(keyOf(test))), ...repeated.tests];
}

/**
 * Returns the test files to repeat so that every skipped test of a record runs again: the file of the test, or all files of its folder if
 * a helper declares the test.
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

/** Counts tests by their outcome. */
export function countsOf(tests) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of tests) counts[outcome]++;
  return counts;
}

/** Returns one line for each reason for which tests were skipped, with the number of tests and their files. */
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

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
