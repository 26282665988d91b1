import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresOf, soak, summaryOf } from './soak.js';

const MINUTES = 2;

test('in two minutes of changes and faults, 2,000 objects converge, the heap does not grow, and each write causes fewer than three reconciles', async (context) => {
  const report = await soak({ minutes: MINUTES });
  context.diagnostic(summaryOf(report));
  context.diagnostic(`faults: ${report.faults.join('; ')}`);
  assert.deepEqual(failuresOf(report), []);
});
