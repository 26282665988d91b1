import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KillSwitch } from './replica.js';
import { ShopCluster } from './shop-cluster.js';
import { readBundles, readSecret, valueOf } from './webhook-objects.js';

/** The number of steps of 10 min until the old CA is removed after the first rotation of the CA. */
const STEPS = 15;
/** The minimum number of writes of a rotation of both certificates. */
const MIN_WRITES = 10;
const LIFETIMES = { lifetime: '1h', authorityLifetime: '3h', distribution: '5m' } as const;

/**
 * Runs two replicas through the rotation of both certificates, and asserts after each step of the clock that all clients accept the
 * certificates of all running replicas. If a replica is killed, a third replica takes its place two steps later.
 */
async function rotate(kill: KillSwitch): Promise<void> {
  await using cluster = await ShopCluster.start();
  const replicas = [0, 1].map(() => cluster.replica({ kill, ...LIFETIMES }));
  await Promise.all(replicas.map((replica) => Promise.race([replica.start(), replica.killed])));
  let stepsSinceKill = 0;
  for (let step = 0; step < STEPS; step++) {
    await cluster.advance('10m');
    await cluster.assertTrusted();
    const killed = replicas.find(({ isKilled }) => isKilled);
    if (killed !== undefined && ++stepsSinceKill === 2) {
      await killed[Symbol.asyncDispose]();
      replicas.push(await cluster.startReplica(LIFETIMES));
    }
  }
  const secret = await readSecret(cluster.transport);
  for (const replica of cluster.replicas.filter(({ isKilled }) => !isKilled)) {
    assert.equal(replica.served.at(-1)?.cert, valueOf(secret, 'tls.crt'));
    assert.deepEqual(replica.messages('warn', 'error'), []);
  }
  for (const bundle of await readBundles(cluster.transport)) assert.equal(bundle, valueOf(secret, 'ca.crt'));
}

for (const when of ['unsent', 'unanswered'] as const) {
  test(`a rotation succeeds if a replica is killed at any write, and the request of this write is ${when}`, async (t) => {
    let atWrite = 0;
    for (let hasKilled = true; hasKilled; ) {
      atWrite += 1;
      const kill = new KillSwitch(atWrite, when);
      await t.test(`a rotation succeeds if a replica is killed at write ${atWrite}`, () => rotate(kill));
      hasKilled = kill.hasKilled;
    }
    assert.ok(atWrite > MIN_WRITES, `the replicas made only ${atWrite - 1} writes`);
  });
}
