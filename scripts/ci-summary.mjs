// The last step of the gate: prints the times of each part, the numbers of results from earlier runs, the skipped tests with the reasons,
// the failed tests and checks with their errors, and one line with the total numbers of passed, failed, and skipped tests and checks. A
// part that did not finish has no recorded results, and counts as one failure. A part also counts as one failure if it uses more than twice
// its usual share of the processor time.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takenLine } from './earlier-results.mjs';
import { partTimes } from './part-times.mjs';
import {
  combined,
  countsOf,
  failedPartLines,
  failureLines,
  firstResults,
  readResults,
  resultsFile,
  skipLines,
} from './test-results.mjs';

/** The commands that take results from earlier runs, by the name of their record. */
const COMMANDS = {
  all: 'node scripts/fresh-environment.mjs npm run test:all',
  skipped: 'npm test -- --skipped',
  'control-plane': 'npm run test:control-plane',
  scaffold: 'npm run test:scaffold',
};
/** The lines about failed tests and checks. The summary prints these lines after all others, because some systems show only the end. */
const failures = [];
const failure = { passed: 0, failed: 1, skipped: 0 };
const counted = [ofTimes(), ofTests(), ...['control-plane', 'scaffold', 'check'].map(ofPart)];
for (const line of failures) console.log(line);
const sum = (key) => counted.reduce((total, counts) => total + counts[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/**
 * Prints the times of the parts, and the numbers of results from earlier runs. Returns one failure for each part that exceeds its share of
 * the processor time.
 */
function ofTimes() {
  const file = join(dirname(resultsFile('')), 'parts.txt');
  const earlier = Object.keys(COMMANDS).map((name) => [name, readResults(name)?.earlier]);
  const taken = Object.fromEntries(earlier.map(([name, each]) => [COMMANDS[name], each?.share ?? 0]));
  const times = existsSync(file) ? partTimes(readFileSync(file, 'utf8'), { taken }) : { lines: [], exceeded: [] };
  const { lines, exceeded } = times;
  for (const line of lines) console.log(line);
  failures.push(...exceeded.map((line) => `failed: ${line}`));
  for (const [name, each] of earlier) if (each !== undefined) console.log(takenLine(name, each));
  return { passed: 0, failed: exceeded.length, skipped: 0 };
}

/**
 * Returns the test counts of the parts `conformance` and `all`. For skipped tests that ran a second time, uses the results of the second
 * run. Each part without recorded results counts as one failure.
 */
function ofTests() {
  const missing = ['conformance', 'all'].filter((name) => recordOf(name) === undefined).length;
  const first = firstResults();
  if (first === undefined) return { ...failure, failed: missing };
  const repeated = recordOf('skipped');
  const counts = countsOfTests(combined(first, repeated ?? { files: [], tests: [] }));
  return { ...counts, failed: counts.failed + missing + (repeated === undefined ? 1 : 0) };
}

function ofPart(part) {
  const record = recordOf(part);
  if (record === undefined) return failure;
  if (record.tests !== undefined) return countsOfTests(record.tests);
  for (const reason of record.skipped ?? []) console.log(`skipped: in ${part}: ${reason}`);
  failures.push(...failedPartLines(part, record.failures ?? []));
  return { skipped: 0, ...record.counts };
}

function countsOfTests(tests) {
  for (const line of skipLines(tests)) console.log(line);
  failures.push(...failureLines(tests));
  return countsOf(tests);
}

function recordOf(part) {
  const record = readResults(part);
  if (record === undefined) failures.push(`failed: ${part}: no results are recorded, so the run did not finish`);
  return record;
}
