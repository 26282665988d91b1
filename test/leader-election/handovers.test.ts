import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHandovers } from './handovers.js';

test('does not commit leader-only writes of a blocked leader after another process becomes the leader', async () => {
  const { violations, refused, byOthers, writes } = await runHandovers(4);
  assert.deepEqual(violations, []);
  assert.ok(writes > 80);
  // The writes that were requested before and after the block were rejected, and not lost for another reason.
  for (const each of refused) assert.ok(each > 0, `${refused.join(', ')} writes were refused`);
  assert.ok(byOthers > 0, 'work on every replica writes all the time');
});
