import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CELLS, selectRows } from './cells.js';
import { measuredValues } from './report/report.js';
import { measureRows } from './run/bench-run.js';

/** A row of each kind of measurement. */
const MEASURED = [
  'sync-cr-1k',
  'cached-get-pod',
  'pages-pod',
  'get-16',
  'patch-16',
  'reconcile-16',
  'event-p50',
  'churn-cpu',
  'queue',
  'start-10-kinds',
  'apiserver-get',
  'apiserver-ready',
  'apiserver-blocked',
  'apiserver-fan-out',
  'webhooks-validator-1',
];

test('npm run bench measures a row of each kind of measurement with few objects', async () => {
  const rows = selectRows(MEASURED).filter(({ name }) => MEASURED.includes(name));
  assert.equal(rows.length, MEASURED.length);
  const report = await measureRows({ cells: CELLS, rows, runs: 1, peers: false, seconds: 1, scale: 0.01 });
  assert.deepEqual(report.failures, []);
  for (const row of report.rows) {
    const [value, ...others] = measuredValues(row, 'kubewright');
    assert.ok(value !== undefined && Number.isFinite(value) && value >= 0, row.name);
    assert.deepEqual(others, []);
  }
});
