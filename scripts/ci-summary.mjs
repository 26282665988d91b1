// The last step of the gate: prints the time of each part, the skipped tests of all parts with their reasons, then one line that counts
// tests, steps and checks together. A part without a record did not finish; the script names it and counts it as one failure.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { combined, countsOf, firstResults, readResults, resultsFile, skipLines } from './test-results.mjs';

const times = join(dirname(resultsFile('')), 'parts.txt');
if (existsSync(times)) for (const line of timeLines(readFileSync(times, 'utf8'))) console.log(line);

const failure = { passed: 0, failed: 1, skipped: 0 };
const counted = [ofTests(), ...['control-plane', 'scaffold', 'check'].map(ofPart)];
const sum = (key) => counted.reduce((total, counts) => total + counts[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** Returns a line for each part, from lines of seconds and a command, the longest part first. */
function timeLines(text) {
  const parts = text
    .trim()
    .split('\n')
    .map((line) => /^(\d+) (.*)$/.exec(line));
  return parts.toSorted((a, b) => Number(b[1]) - Number(a[1])).map(([, s, what]) => `${s.padStart(4)} s  ${what}`);
}

/**
 * Returns the counts of the first runs. For a file that was repeated because it skipped tests, the result of the second run counts. Each
 * missing record counts as one failure.
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
  return { skipped: 0, ...record.counts };
}

function countsOfTests(tests) {
  for (const line of skipLines(tests)) console.log(line);
  return countsOf(tests);
}

function recordOf(part) {
  const record = readResults(part);
  if (record === undefined) console.log(`${part}: no results are recorded, so the run did not finish`);
  return record;
}
