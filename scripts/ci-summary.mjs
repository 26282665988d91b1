// The last step of the gate: prints the skipped tests of all parts with their reasons, then one line that counts tests, steps and checks
// together. A part without a record did not finish; the script names it and counts it as one failure.
import { combined, countsOf, readResults, skipLines } from './test-results.mjs';

const failure = { passed: 0, failed: 1, skipped: 0 };
const counted = [ofTests(), ...['control-plane', 'scaffold', 'check'].map(ofPart)];
const sum = (key) => counted.reduce((total, counts) => total + counts[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** Returns the counts of the first run. For a file that was repeated because it skipped tests, the result of the second run counts. */
function ofTests() {
  const first = recordOf('conformance');
  if (first === undefined) return failure;
  const repeated = recordOf('skipped');
  const counts = countsOfTests(combined(first, repeated ?? { files: [], tests: [] }));
  return repeated === undefined ? { ...counts, failed: counts.failed + 1 } : counts;
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
