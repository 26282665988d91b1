import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHistories } from './run-histories.js';

/** More of them: `npm run cache-guarantee -- --histories 2000 --seed 1`. */
const HISTORIES = 60;

test(`cached reads are never older than a delivered event, and every declaration converges, in ${HISTORIES} drawn histories`, async () => {
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
