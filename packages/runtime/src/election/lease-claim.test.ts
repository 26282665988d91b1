import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Lease } from '@kubewright/api/coordination/v1';
import { LeaseTable } from '../test-support/lease-table.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { LeaseClaim } from './lease-claim.js';
import { ServedLeaseLock } from './served-lease-lock.js';

const { signal } = new AbortController();
const otherTime = '2001-01-01T00:00:00.000000Z';

function setUp(labels?: Readonly<Record<string, string>>) {
  const clock = new ManualClock();
  const table = new LeaseTable();
  const lock = new ServedLeaseLock(table, { name: 'leader', namespace: 'apps', ...(labels && { labels }) });
  const logger = new RecordingLogger();
  const claim = new LeaseClaim({ lock, identity: 'us', leaseDurationMs: 15_000, clock, logger });
  return { clock, table, claim };
}
function others(fields: object = {}) {
  return {
    holderIdentity: 'other',
    leaseDurationSeconds: 15,
    leaseTransitions: 4,
    acquireTime: otherTime,
    renewTime: otherTime,
    ...fields,
  };
}
const ours = (fields: object = {}) => ({
  holderIdentity: 'us',
  leaseDurationSeconds: 15,
  leaseTransitions: 5,
  acquireTime: '2030-01-01T00:00:00.000000Z',
  renewTime: '2030-01-01T00:00:00.000000Z',
  ...fields,
});

test('[CG-155] creates a missing Lease with this candidate as the holder', async () => {
  const { table, claim } = setUp();
  assert.equal(await claim.acquire(signal), true);
  assert.deepEqual(table.requests, ['GET', 'POST']);
  assert.deepEqual(table.lease?.spec, ours({ leaseTransitions: 0 }));
});

test('[CG-155] acquires a Lease without a holder', async () => {
  const { table, claim } = setUp();
  table.write({});
  assert.equal(await claim.acquire(signal), true);
  assert.deepEqual(table.lease?.spec, ours({ leaseTransitions: 1 }));
});

test('[CG-155] acquires the Lease of another holder only when the lease duration has passed since the candidate observed it', async () => {
  const { table, claim, clock } = setUp();
  table.write(others({ leaseDurationSeconds: 30 }));
  assert.equal(await claim.acquire(signal), false);
  clock.advance(29_999);
  assert.equal(await claim.acquire(signal), false);
  assert.equal(claim.holder, 'other');
  assert.ok(!table.requests.includes('PUT'));
  clock.advance(1);
  assert.equal(await claim.acquire(signal), true);
  assert.deepEqual(
    table.lease?.spec,
    ours({ acquireTime: '2030-01-01T00:00:30.000000Z', renewTime: '2030-01-01T00:00:30.000000Z' }),
  );
});

test('[CG-155] waits for the full duration again after another holder has renewed the Lease', async () => {
  const { table, claim, clock } = setUp();
  table.write(others());
  await claim.acquire(signal);
  clock.advance(14_000);
  table.write(others({ renewTime: '2001-01-01T00:00:00.000001Z' }));
  assert.equal(await claim.acquire(signal), false);
  clock.advance(14_999);
  assert.equal(await claim.acquire(signal), false);
  clock.advance(1);
  assert.equal(await claim.acquire(signal), true);
});

test('[CG-155] acquires a released Lease immediately', async () => {
  const { table, claim } = setUp();
  table.write(others({ holderIdentity: '' }));
  assert.equal(await claim.acquire(signal), true);
  assert.deepEqual(table.lease?.spec, ours());
});

test('[CG-155] a candidate renews a Lease that it already holds, and keeps acquireTime and leaseTransitions', async () => {
  const { table, claim } = setUp();
  table.write(others({ holderIdentity: 'us' }));
  assert.equal(await claim.acquire(signal), true);
  assert.deepEqual(table.lease?.spec, ours({ leaseTransitions: 4, acquireTime: otherTime }));
});

test('[CG-155] only one of two candidates acquires the same Lease', async () => {
  const { table, claim } = setUp();
  table.write(others({ holderIdentity: '' }));
  table.before = ({ method }) => {
    if (method === 'PUT') table.write(others({ holderIdentity: 'third' }));
  };
  await assert.rejects(claim.acquire(signal), { reason: 'Conflict' });
  assert.equal(table.lease?.spec.holderIdentity, 'third');
});

test('[CG-156] a leader renews the Lease without reading it', async () => {
  const { table, claim, clock } = setUp();
  await claim.acquire(signal);
  clock.advance(2000);
  assert.equal(await claim.renew(signal), true);
  assert.deepEqual(table.requests, ['GET', 'POST', 'PUT']);
  assert.equal(table.lease?.spec.renewTime, '2030-01-01T00:00:02.000000Z');
  assert.equal(table.lease?.spec.acquireTime, '2030-01-01T00:00:00.000000Z');
  assert.equal(claim.slowPaths, 0);
});

test('[CG-156] if the Lease was changed, reads the Lease and renews it with the changes', async () => {
  const { table, claim } = setUp();
  await claim.acquire(signal);
  table.write(ours({ leaseTransitions: 0 }), { team: 'a' });
  assert.equal(await claim.renew(signal), true);
  assert.deepEqual(table.requests.slice(2), ['PUT', 'GET', 'PUT']);
  assert.deepEqual(table.lease?.metadata.labels, { team: 'a' });
  assert.equal(claim.slowPaths, 1);
});

test('a leader stops leading if the Lease has another holder, or had another holder since the last renewal', async () => {
  for (const found of [others(), others({ holderIdentity: '' })]) {
    const { table, claim } = setUp();
    await claim.acquire(signal);
    table.write(found);
    assert.equal(await claim.renew(signal), false);
    assert.deepEqual(table.lease?.spec, found);
  }
});

test('a leader acquires its Lease again if the Lease was emptied or deleted and has no other holder', async () => {
  const { table, claim } = setUp();
  await claim.acquire(signal);
  table.write(ours({ holderIdentity: '', leaseTransitions: 0 }));
  assert.equal(await claim.renew(signal), true);
  assert.equal(table.lease?.spec.leaseTransitions, 1);
  table.lease = undefined;
  assert.equal(await claim.renew(signal), true);
  const [holder, transitions] = await table
    .request<Lease>({ method: 'GET', path: '' })
    .then(({ spec }) => [spec.holderIdentity, spec.leaseTransitions]);
  assert.deepEqual([holder, transitions], ['us', 0]);
});

test('the lease duration starts when the write is sent, not when the response is received', async () => {
  const { table, claim, clock } = setUp();
  table.after = ({ method }) => {
    if (method === 'POST') clock.advance(4000);
  };
  await claim.acquire(signal);
  assert.equal(claim.heldUntilMs, 15_000);
});

test('[CG-158, CG-159] releasing reads the Lease and clears the holder, so that others can acquire it immediately', async () => {
  const { table, claim, clock } = setUp();
  await claim.acquire(signal);
  clock.advance(1000);
  assert.equal(await claim.giveUp(signal), true);
  assert.deepEqual(table.requests, ['GET', 'POST', 'GET', 'PUT']);
  const now = '2030-01-01T00:00:01.000000Z';
  assert.deepEqual(table.lease?.spec, {
    holderIdentity: '',
    leaseDurationSeconds: 1,
    leaseTransitions: 0,
    acquireTime: now,
    renewTime: now,
  });
});

test('[CG-167] releasing writes nothing if another candidate holds the Lease', async () => {
  const { table, claim } = setUp();
  await claim.acquire(signal);
  const taken = table.write(others());
  assert.equal(await claim.giveUp(signal), false);
  assert.deepEqual(table.requests.slice(2), ['GET']);
  assert.deepEqual(table.lease, taken);
});

test('releasing a Lease that was deleted does not create a Lease', async () => {
  const { table, claim } = setUp();
  await claim.acquire(signal);
  table.lease = undefined;
  assert.equal(await claim.giveUp(signal), false);
  assert.equal(table.lease, undefined);
});

test('[CG-166] sets labels when it creates or writes the Lease, and keeps other labels', async () => {
  const made = setUp({ app: 'operator' });
  await made.claim.acquire(signal);
  assert.deepEqual(made.table.lease?.metadata.labels, { app: 'operator' });

  const written = setUp({ app: 'operator' });
  written.table.write(others({ holderIdentity: '' }), { team: 'a', app: 'old' });
  await written.claim.acquire(signal);
  assert.deepEqual(written.table.lease?.metadata.labels, { team: 'a', app: 'operator' });
});

test('[CG-166] without labels, does not change the labels of the Lease', async () => {
  const { table, claim } = setUp();
  table.write(others({ holderIdentity: '' }));
  await claim.acquire(signal);
  assert.equal(table.lease?.metadata.labels, undefined);
});

test('[CG-163] a coordinated candidate renews a Lease that was assigned to it, and keeps the strategy', async () => {
  const { table, claim } = setUp();
  assert.equal(await claim.renewGranted(signal), false, 'it never creates the Lease');
  table.write(ours({ strategy: 'OldestEmulationVersion', leaseTransitions: 2, acquireTime: otherTime }));
  assert.equal(await claim.renewGranted(signal), true);
  const renewed = ours({ strategy: 'OldestEmulationVersion', leaseTransitions: 2, acquireTime: otherTime });
  assert.deepEqual(table.lease?.spec, renewed);
});

test('[CG-163] a coordinated candidate does not take a Lease that is empty, expired, ended or held by another candidate', async () => {
  for (const spec of [others(), others({ holderIdentity: '' }), ours({ preferredHolder: 'other' })]) {
    const { table, claim, clock } = setUp();
    const written = table.write(spec);
    assert.equal(await claim.renewGranted(signal), false);
    clock.advance(60_000);
    assert.equal(await claim.renewGranted(signal), false);
    assert.deepEqual(table.lease, written);
  }
  const { table, claim, clock } = setUp();
  table.write(ours());
  table.before = ({ method }) => {
    if (method === 'PUT') throw refusal(503, 'ServiceUnavailable');
  };
  await assert.rejects(claim.renewGranted(signal));
  table.before = () => undefined;
  clock.advance(15_000);
  assert.equal(await claim.renewGranted(signal), false, 'it was not renewed in time');
});
