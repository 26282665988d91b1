import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortcomingsOf, soak, summaryOf } from './soak.js';

const MINUTES = 2;

test('after two minutes of changes and faults, 2,000 objects have converged, the heap has not grown, and there were fewer than three reconciles per write', async (context) => {
  const report = await soak({ minutes: MINUTES });
  context.diagnostic(summaryOf(report));
  context.diagnostic(`faults: ${report.faults.join('; ')}`);
  assert.deepEqual(shortcomingsOf(report), []);
});
