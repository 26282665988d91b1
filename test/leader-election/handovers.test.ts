import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHandovers } from './handovers.js';

test('a blocked leader commits no leader-only writes after another process becomes the leader', async () => {
  const { violations, refused, byOthers, writes } = await runHandovers(4);
  assert.deepEqual(violations, []);
  assert.ok(writes > 80);
  // Each leader itself rejected writes that were requested around the block. The writes were not lost for another reason.
  for (const each of refused) assert.ok(each > 0, `rejected writes of each handover: ${refused.join(', ')}`);
  assert.ok(byOthers > 0, 'components that run on every replica write while another replica is the leader');
});
