import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { restoreWhileOperated } from '../cache-guarantee/restored-operator.js';

test('the cache recovers automatically from a restore of etcd while the operator runs', async (t) => {
  await using env = await TestEnvironment.start({ server: 'control-plane' });
  const { connection, controlPlane } = env;
  const { recoveryMs, lines } = await restoreWhileOperated({
    connection,
    backUp: () => controlPlane.backUp(),
    restore: () => controlPlane.restore(),
  });
  t.diagnostic(`recovered in ${Math.round(recoveryMs)} ms`);
  assert.equal(lines.length, 1);
  for (const [before, now] of lines) assert.ok(now < before, `${now} < ${before}`);
});
