import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heapGrowth, soak } from './soak.js';

const MINUTES = 2;
const MB = 2 ** 20;

test('two minutes of changes and faults leave 2,000 objects as they should be, the heap flat, and no storm behind', async (context) => {
  const { unmet, samples, writes, runs, faults } = await soak({ minutes: MINUTES });
  const { middleBytes, lastBytes } = heapGrowth(samples);
  context.diagnostic(`${writes} writes, ${runs} reconciles, faults: ${faults.join('; ')}`);
  context.diagnostic(`heap: ${(middleBytes / MB).toFixed(1)} MB, then ${(lastBytes / MB).toFixed(1)} MB`);
  assert.deepEqual(unmet, []);
  assert.ok(faults.length >= 5, `only ${faults.length} faults`);
  assert.ok(lastBytes < middleBytes * 1.1 + 2 * MB, 'the heap grows');
  assert.ok(writes > 0 && runs < 3 * writes, `${runs} reconciles for ${writes} writes`);
});
