import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShopCluster } from './shop-cluster.js';
import { readBundles, readSecret, valueOf } from './webhook-objects.js';

/** The number of writes of a single replica until the end of the second rotation of the CA. */
const STEPS = 90;

/**
 * Runs two replicas through two rotations of the CA, and asserts after each step of the clock that all clients accept the certificates of
 * all running replicas. Returns the number of writes of the first replica.
 */
async function rotate(kill?: { readonly atWrite: number; readonly when: 'unsent' | 'unanswered' }): Promise<number> {
  await using cluster = await ShopCluster.start();
  const first = cluster.replica(kill === undefined ? {} : { kill });
  const started = first.start();
  await Promise.race([started, first.killed]);
  const second = await cluster.startReplica();
  for (let step = 0; step < STEPS; step++) {
    await cluster.advance('10m');
    await cluster.assertTrusted();
    if (first.isKilled) await first[Symbol.asyncDispose]();
  }
  if (kill === undefined) await started;
  else {
    await started.catch(() => undefined);
    assert.ok(first.isKilled, `the first replica has made only ${first.writes} writes`);
  }
  const secret = await readSecret(cluster.transport);
  assert.equal(second.served.at(-1)?.cert, valueOf(secret, 'tls.crt'));
  for (const bundle of await readBundles(cluster.transport)) assert.equal(bundle, valueOf(secret, 'ca.crt'));
  assert.deepEqual(second.messages('warn', 'error'), []);
  return first.writes;
}

test('two replicas rotate both certificates, and clients always accept them', async () => {
  assert.ok((await rotate()) > 0);
});

for (let atWrite = 1; atWrite <= 10; atWrite++) {
  for (const when of ['unsent', 'unanswered'] as const) {
    test(`a replica that is killed at write ${atWrite}, which is ${when}, does not disturb the rotation`, async () => {
      await rotate({ atWrite, when });
    });
  }
}
