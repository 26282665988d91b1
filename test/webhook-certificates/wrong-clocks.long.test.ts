import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@kubewright/testing';
import { ShopCluster } from './shop-cluster.js';

const INJECTED_BUNDLE = 'injected the CA bundle of webhooks';
const WRONG_CLOCK =
  'the clock of this replica differs from the clock of the API server; this replica renews webhook certificates only shortly before they expire';
const TEN_YEARS_MS = 3652 * 24 * 3_600_000;

for (const [where, by] of [
  ['ahead', 1],
  ['behind', -1],
] as const) {
  test(`a replica whose clock is ten years ${where} keeps the certificates of the other replicas, and logs the wrong clock once`, async () => {
    await using cluster = await ShopCluster.start();
    const replica = await cluster.startReplica();
    const clock = new FakeClock(new Date(cluster.clock.now().getTime() + by * TEN_YEARS_MS));
    const wrong = await cluster.startReplica({ clock, serverClock: cluster.clock });
    // The steps are shorter than the time between a renewal and the expiry, because the clocks advance independently within a step.
    for (let step = 0; step < 144; step++) {
      await Promise.all([cluster.advance('10m'), clock.advance('10m')]);
      await wrong.idle();
      await cluster.assertTrusted();
    }
    // The replica injects the bundle of the Secret, but does not change the Secret.
    assert.deepEqual(
      wrong.messages('info').filter((text) => text !== INJECTED_BUNDLE),
      [],
    );
    assert.ok(replica.served.length > 10);
    assert.deepEqual(wrong.messages('warn', 'error'), [WRONG_CLOCK]);
  });

  test(`a single replica whose clock is ten years ${where} creates and renews certificates that clients accept`, async () => {
    await using cluster = await ShopCluster.start();
    const clock = new FakeClock(new Date(cluster.clock.now().getTime() + by * TEN_YEARS_MS));
    const wrong = await cluster.startReplica({ clock, serverClock: cluster.clock });
    await cluster.assertTrusted();
    for (let step = 0; step < 200; step++) {
      await Promise.all([cluster.advance('10m'), clock.advance('10m')]);
      await wrong.idle();
      await cluster.assertTrusted();
    }
    assert.ok(wrong.served.length > 10);
    assert.deepEqual(wrong.messages('warn', 'error'), [WRONG_CLOCK]);
  });
}
