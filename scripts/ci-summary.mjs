// The last line of the gate: tests on both servers, the steps of a new user and checks counted together, from what they recorded. A part
// that recorded nothing, since it was ended before its end, is named and counted as one failure.
import { readFileSync } from 'node:fs';
import { resultsFile } from './run-tests.mjs';

const parts = ['conformance', 'control-plane', 'scaffold', 'check'];
const file = process.argv[2] === undefined ? resultsFile : (name) => `${process.argv[2]}/${name}.json`;

const counted = parts.map(countsOf);
const sum = (key) => counted.reduce((total, counts) => total + counts[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

function countsOf(part) {
  try {
    const recorded = JSON.parse(readFileSync(file(part), 'utf8'));
    return { skipped: 0, ...(recorded.counts ?? recorded) };
  } catch (error) {
    console.log(`${part}: recorded nothing (${error.message})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
