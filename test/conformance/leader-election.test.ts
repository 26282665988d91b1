import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Lease } from '@kubewright/api/coordination/v1';
import { isNotFound } from '@kubewright/api/errors';
import { LeaderElection, type LeaderElectionOptions, resolveLeaderElection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { Contender } from '../leader-election/contender.js';
import { LeadingTerms } from '../leader-election/leading-terms.js';
import { LeaseHistory } from '../leader-election/lease-history.js';
import { quietLogger } from '../leader-election/quiet-logger.js';
import { TimelessRequests } from '../leader-election/timeless-requests.js';
import { startEnvironment } from '../server/start-environment.js';

const { signal } = new AbortController();
let env: TestEnvironment;
let transport: Transport;
let named = 0;

before(async () => {
  env = await startEnvironment();
  transport = new Transport(env.connection, { clock: new SystemClock() });
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

/** Returns functions that create candidates for one Lease, and read and write the Lease. Only the test advances the fake clocks. */
function setUp(options: Partial<LeaderElectionOptions> = {}) {
  const name = `leader-${++named}`;
  const elect = (identity: string, { clock = new FakeClock(), through = transport, logger = quietLogger } = {}) => {
    const resolved = resolveLeaderElection({ name, namespace: 'default', identity, ...options });
    const requests = new TimelessRequests(through, clock);
    return { clock, requests, election: new LeaderElection(resolved, { transport: requests, clock, logger }) };
  };
  const read = (): Promise<Lease> => env.client.live.get(Lease, { name, namespace: 'default' });
  const write = async (change: (lease: Lease) => Lease): Promise<Lease> => {
    const lease = await read();
    return transport.request<Lease>({
      method: 'PUT',
      path: `/apis/coordination.k8s.io/v1/namespaces/default/leases/${name}`,
      body: change(lease),
    });
  };
  return { name, elect, read, write };
}

test('[CG-155, CG-165] the first candidate creates the Lease, with the fields of client-go and times in microseconds', async () => {
  const { elect, read } = setUp();
  const { election } = elect('first', { clock: new FakeClock('2026-01-01T00:00:00.123Z') });
  await election.acquire(signal);
  const { spec } = await read();
  assert.deepEqual(spec, {
    holderIdentity: 'first',
    leaseDurationSeconds: 15,
    leaseTransitions: 0,
    acquireTime: '2026-01-01T00:00:00.123000Z',
    renewTime: '2026-01-01T00:00:00.123000Z',
  });
  await election.release();
});

test('[CG-155] a candidate takes the Lease of another holder only after the Lease has expired, and then increments leaseTransitions', async () => {
  const { elect, read } = setUp();
  const { election: first } = elect('first');
  await first.acquire(signal);
  const { election: second, clock } = elect('second');
  const seen = new Promise((resolve) => second.onLeader(resolve));
  const acquired = second.acquire(signal);
  assert.equal(await seen, 'first');
  await clock.advance('14s');
  assert.equal((await read()).spec.holderIdentity, 'first');
  while (!second.isLeader) await clock.advance('100ms');
  await acquired;
  const { spec } = await read();
  assert.equal(spec.holderIdentity, 'second');
  assert.equal(spec.leaseTransitions, 1);
  assert.ok(clock.monotonicMs() >= 15_000);
  await Promise.all([first.release(), second.release()]);
});

test('[CG-156] a leader keeps its Lease when another client adds a label to the Lease, and keeps the label', async () => {
  const { elect, read, write } = setUp();
  const { election, clock } = elect('first');
  await election.acquire(signal);
  await write((lease) => ({ ...lease, metadata: { ...lease.metadata, labels: { team: 'a' } } }));
  await clock.advance('2s');
  assert.equal(election.stats().slowPaths, 1);
  const { metadata, spec } = await read();
  assert.notEqual(spec.renewTime, spec.acquireTime);
  assert.deepEqual(metadata.labels, { team: 'a' });
  assert.equal(election.isLeader, true);
  await election.release();
});

test('[CG-158, CG-159] a released Lease has no holder, and the next candidate takes the Lease immediately', async () => {
  const { elect, read } = setUp();
  const { election: first } = elect('first');
  await first.acquire(signal);
  await first.release();
  const { spec } = await read();
  assert.equal(spec.holderIdentity, '');
  assert.equal(spec.leaseDurationSeconds, 1);
  const { election: second } = elect('second');
  await second.acquire(signal);
  assert.equal((await read()).spec.leaseTransitions, 1);
  await second.release();
});

test('[CG-167] if the Lease has another holder when a leader stops, the leader does not change the Lease', async () => {
  const { elect, read, write } = setUp();
  const { election } = elect('first');
  await election.acquire(signal);
  const taken = await write((lease) => ({ ...lease, spec: { ...lease.spec, holderIdentity: 'second' } }));
  await election.release();
  assert.deepEqual(await read(), taken);
});

test('[CG-166] a leader sets the labels of the options on the Lease, and keeps the labels of other clients', async () => {
  const { elect, read, write } = setUp({ labels: { app: 'operator' } });
  const { election: first } = elect('first');
  await first.acquire(signal);
  assert.deepEqual((await read()).metadata.labels, { app: 'operator' });
  await first.release();
  await write((lease) => ({ ...lease, metadata: { ...lease.metadata, labels: { team: 'a' } } }));
  const { election: second } = elect('second');
  await second.acquire(signal);
  assert.deepEqual((await read()).metadata.labels, { team: 'a', app: 'operator' });
  await second.release();
});

test('if two candidates start at the same time, one candidate creates the Lease and the other candidate waits', async () => {
  const { elect, read } = setUp();
  const candidates = [elect('first'), elect('second')];
  const stop = new AbortController();
  const acquired = candidates.map(({ election }) => election.acquire(stop.signal));
  await Promise.race(acquired);
  for (const { clock } of candidates) await clock.advance('3s');
  const leading = candidates.filter(({ election }) => election.isLeader);
  assert.equal(leading.length, 1);
  assert.equal((await read()).spec.leaseTransitions, 0);
  stop.abort(new DOMException('enough', 'AbortError'));
  await Promise.allSettled(acquired);
  await Promise.all(candidates.map(({ election }) => election.release()));
});

test('three processes elect one leader, elect another leader when the leader is killed, and never have two leaders', async (t) => {
  const lease = `processes-${++named}`;
  await using history = await LeaseHistory.follow(env.connection, lease);
  const terms = new LeadingTerms();
  const times = { duration: '1s', renewDeadline: '600ms', retryPeriod: '100ms' };
  const contenders = ['a', 'b', 'c'].map(
    (identity) => new Contender({ identity, connection: env.connection, lease, times }, terms.note),
  );
  try {
    for (let round = 1; round <= 2; round++) {
      const leader = await terms.until(({ fromMs, lastActMs }) => lastActMs > fromMs + 200);
      terms.endedBy(leader, 'killed');
      await contenders.find(({ identity }) => leader.identity.startsWith(`${identity}-`))?.kill();
      await terms.until(({ identity }) => identity !== leader.identity);
    }
    assert.deepEqual(terms.overlaps(), []);
    const led = terms.all.map(({ identity }) => identity);
    await history.seen(led.at(-1) ?? '');
    assert.deepEqual(
      history.holders.map(({ transitions }) => transitions),
      history.holders.map((_, at) => at),
    );
    assert.deepEqual(
      history.holders.map(({ identity }) => identity).filter((identity) => led.includes(identity)),
      led,
    );
    for (const line of terms.handovers(() => 'process')) t.diagnostic(line);
  } finally {
    for (const contender of contenders) await contender[Symbol.asyncDispose]();
  }
});

test('a candidate without permission for the Lease keeps trying, and logs the missing permission once', async () => {
  const messages: string[] = [];
  await using stranger = new Transport({ ...env.connection, impersonate: { user: 'nobody' } });
  const { name, elect } = setUp();
  const { election, clock, requests } = elect('nobody', {
    through: stranger,
    logger: quietLogger.keeping((message, { error }) => messages.push(`${message}: ${String(error)}`)),
  });
  const stop = new AbortController();
  const acquired = election.acquire(stop.signal);
  await clock.advance('5s');
  assert.ok(requests.sent > 1);
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? '', /get lease default\/leader-\d+: .*leases.*forbidden/);
  stop.abort(new DOMException('enough', 'AbortError'));
  await assert.rejects(acquired, { name: 'AbortError' });
  await election.release();
  await assert.rejects(env.client.live.get(Lease, { name, namespace: 'default' }), isNotFound);
});
