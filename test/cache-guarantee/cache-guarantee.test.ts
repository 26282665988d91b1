import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHistories } from './run-histories.js';

/** Number of histories in a test run. To run more histories, use `npm run cache-guarantee -- --histories 2000 --seed 1`. */
const HISTORIES = 60;

test(`in ${HISTORIES} random histories, no controller reads a state older than a delivered event, and all controllers converge`, async () => {
  const reports = await runHistories(Array.from({ length: HISTORIES }, (_, at) => at + 1));
  assert.deepEqual(
    reports.filter(({ violations }) => violations.length > 0),
    [],
  );
  assert.ok(
    reports.every(({ reads, steps }) => reads > 0 || steps.length > 0),
    'every history contains writes or reads',
  );
});
