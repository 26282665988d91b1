// The last line of the gate: tests on both servers, the steps of a new user and checks counted together, from what they recorded.
import { readFileSync } from 'node:fs';
import { resultsFile } from './run-tests.mjs';

const read = (name) => JSON.parse(readFileSync(resultsFile(name), 'utf8'));
const counted = [
  read('conformance').counts,
  read('control-plane').counts,
  read('scaffold').counts,
  { skipped: 0, ...read('check') },
];
const sum = (key) => counted.reduce((total, counts) => total + counts[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
