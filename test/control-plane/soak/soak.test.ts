import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortcomingsOf, soak, summaryOf } from './soak.js';

const MINUTES = 2;

test('two minutes of changes and faults leave 2,000 objects as they should be, the heap flat, and no storm behind', async (context) => {
  const report = await soak({ minutes: MINUTES });
  context.diagnostic(summaryOf(report));
  context.diagnostic(`faults: ${report.faults.join('; ')}`);
  assert.deepEqual(shortcomingsOf(report), []);
});
