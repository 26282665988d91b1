import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHistories } from './run-histories.js';

/** For more histories: `npm run cache-guarantee -- --histories 2000 --seed 1`. */
const HISTORIES = 60;

test(`never reads a state older than a delivered event and converges for every declaration in ${HISTORIES} random histories`, async () => {
  const reports = await runHistories(Array.from({ length: HISTORIES }, (_, at) => at + 1));
  assert.deepEqual(
    reports.filter(({ violations }) => violations.length > 0),
    [],
  );
  assert.ok(
    reports.every(({ reads, steps }) => reads > 0 || steps.length > 0),
    'each history writes or reads',
  );
});
