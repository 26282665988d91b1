// The last line of the gate: tests and checks counted together, from what they recorded.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const read = (name) => JSON.parse(readFileSync(join(root, '.test-results', name), 'utf8'));
const tests = read('conformance.json').counts;
const checks = read('check.json');
console.log(`${tests.passed + checks.passed} passed, ${tests.failed + checks.failed} failed, ${tests.skipped} skipped`);
