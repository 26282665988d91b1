import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LeaseTable } from '../test-support/lease-table.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { type LeaderElectionOptions, resolveLeaderElection } from './leader-election-options.js';
import { LeaderElection } from './leader-election.js';

const { signal } = new AbortController();
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(options: Partial<LeaderElectionOptions> = {}) {
  const clock = new ManualClock();
  const table = new LeaseTable();
  const logger = new RecordingLogger();
  const elect = (identity = 'us') =>
    new LeaderElection(resolveLeaderElection({ name: 'leader', namespace: 'apps', identity, ...options }), {
      transport: table,
      clock,
      logger,
      random: () => 0.5,
    });
  /** Advances the clock in small steps, and waits after each step for the work that it triggers. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(Math.min(100, left));
      await settle();
    }
  };
  return { clock, table, logger, elect, pass };
}

test('a leader renews the Lease in each retry period', async () => {
  const { elect, table, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  await pass(60_000);
  assert.equal(election.isLeader, true);
  assert.equal(table.requests.filter((method) => method === 'PUT').length, 30);
  assert.equal(table.lease?.spec.renewTime, '2030-01-01T00:01:00.000000Z');
  election.assertLeader();
});

test('a candidate checks the Lease every 1 to 2.2 retry periods, and becomes the leader after a release', async () => {
  const { elect, clock, pass } = setUp();
  const first = elect('first');
  await first.acquire(signal);
  const second = elect('second');
  const acquired = second.acquire(signal);
  await settle();
  assert.ok(clock.pendingMs.includes(2000 * (1 + 0.5 * 1.2)));
  await pass(10_000);
  assert.equal(second.isLeader, false);
  assert.equal(second.leader, 'first');
  assert.throws(() => second.assertLeader(), { code: 'LEADERSHIP_LOST' });
  await first.release();
  assert.equal(first.isLeader, false);
  await pass(4400);
  await acquired;
  assert.equal(second.isLeader, true);
});

test('a candidate becomes the leader when the lease of a leader that stopped without a release expires', async () => {
  const { elect, table, pass } = setUp();
  table.write({ holderIdentity: 'dead', leaseDurationSeconds: 15, leaseTransitions: 0 });
  const election = elect();
  const acquired = election.acquire(signal);
  await settle();
  await pass(14_900);
  assert.equal(election.isLeader, false);
  await pass(4500);
  await acquired;
  assert.equal(election.isLeader, true);
});

test('a leader that cannot renew within the renew deadline loses the leadership before another candidate can get it', async () => {
  const { elect, table, clock, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  await pass(2000);
  table.before = () => {
    throw new Error('no network');
  };
  let lost: Error | undefined;
  void election.lost.then((error) => {
    lost = error;
  });
  await pass(11_900);
  assert.equal(lost, undefined);
  assert.equal(election.isLeader, true);
  await pass(200);
  assert.equal((lost as { code?: string } | undefined)?.code, 'LEADERSHIP_LOST');
  assert.match(String((lost as Error | undefined)?.cause), /no network/);
  assert.equal(election.isLeader, false);
  assert.ok(clock.monotonicMs() < 17_000, 'after this time another replica can become the leader');
  assert.deepEqual(clock.pendingMs, []);
});

test('a leader that receives a late response to its last renewal stops leading before other candidates can acquire the lease', async () => {
  const { elect, table, clock, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  // The renewal is written at 2 s, and its response arrives at 6.9 s. Other candidates can become the leader from 17 s on.
  table.after = () => clock.sleep('4900ms', signal);
  await pass(2000);
  table.before = () => {
    throw new Error('no network');
  };
  await pass(4900);
  let lost = false;
  void election.lost.then(() => {
    lost = true;
  });
  await pass(7500);
  assert.deepEqual([clock.monotonicMs(), election.isLeader, lost], [14_400, true, false]);
  await pass(200);
  assert.deepEqual([clock.monotonicMs(), election.isLeader, lost], [14_600, false, true]);
});

test('aborts a request without a response, and sends another request within the renew deadline', async () => {
  const { elect, table, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  let hung = 0;
  table.before = ({ signal: requestSignal }) => {
    if (++hung > 1) return;
    return new Promise((_, reject) => {
      requestSignal?.addEventListener('abort', () => reject(requestSignal.reason), { once: true });
    });
  };
  await pass(20_000);
  assert.equal(election.isLeader, true);
  assert.ok(hung > 2);
});

test('after a suspension longer than the lease duration, isLeader is false before any other code runs', async () => {
  const { elect, clock, table } = setUp();
  const election = elect();
  await election.acquire(signal);
  await settle();
  clock.advance(1999);
  await settle();
  assert.equal(election.isLeader, true);
  // As after a suspension, all timers fire late and together. A callback that runs before the timer of the election must already see that
  // `isLeader` is false.
  let known: boolean | undefined;
  clock.schedule(0, () => {
    known = election.isLeader;
  });
  const requests = table.requests.length;
  clock.monotonicMs = () => 15_000;
  clock.advance(20_000);
  assert.equal(known, false);
  assert.throws(() => election.assertLeader(), { code: 'LEADERSHIP_LOST' });
  const lost = await election.lost;
  assert.equal(lost.code, 'LEADERSHIP_LOST');
  assert.equal(table.requests.length, requests, 'an expired lease is not renewed');
});

test('a leader loses the leadership at the next renewal if another candidate has taken the Lease, and does not change the Lease', async () => {
  const { elect, table, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  const taken = table.write({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 1 });
  await pass(2000);
  assert.match((await election.lost).message, /the holder is now other/);
  await election.release();
  assert.deepEqual(table.lease, taken);
});

test('reports each new leader once, including the candidate itself, and a listener that throws does not affect other listeners', async () => {
  const { elect, table, logger, pass } = setUp();
  table.write({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 1 });
  const election = elect();
  const leaders: string[] = [];
  election.onLeader(() => {
    throw new Error('listener');
  });
  const end = election.onLeader((leader) => leaders.push(leader));
  const acquired = election.acquire(signal);
  await pass(30_000);
  await acquired;
  assert.deepEqual(leaders, ['other', 'us']);
  assert.ok(logger.lines.some(({ level, message }) => level === 'error' && message.includes('listener')));
  end();
  table.write({ holderIdentity: 'third', leaseDurationSeconds: 15, leaseTransitions: 3 });
  await pass(2000);
  assert.deepEqual(leaders, ['other', 'us']);
});

test('the signal ends an acquire with the reason of the signal, and a candidate that never led writes nothing on release', async () => {
  const { elect, table, clock } = setUp();
  table.write({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 1 });
  const election = elect();
  const stop = new AbortController();
  const acquired = election.acquire(stop.signal);
  await settle();
  stop.abort(new Error('stopped'));
  await assert.rejects(acquired, /stopped/);
  assert.deepEqual(clock.pendingMs, []);
  await election.release();
  assert.ok(!table.requests.includes('PUT'));
  await assert.rejects(election.acquire(signal), { code: 'ELECTION_ENDED' });
});

test('[CG-158] release stops the renewals and clears the holder of the Lease, and does not report a loss', async () => {
  const { elect, table, clock } = setUp();
  const election = elect();
  await election.acquire(signal);
  let lost = false;
  void election.lost.then(() => {
    lost = true;
  });
  await election.release();
  await election.release();
  await settle();
  assert.equal(table.lease?.spec.holderIdentity, '');
  assert.equal(election.isLeader, false);
  assert.equal(election.leader, undefined);
  assert.equal(lost, false);
  assert.deepEqual(clock.pendingMs, []);
  assert.deepEqual(table.requests, ['GET', 'POST', 'GET', 'PUT']);
});

test('without releaseOnStop, release does not change the Lease', async () => {
  const { elect, table } = setUp({ releaseOnStop: false });
  const election = elect();
  await election.acquire(signal);
  await election.release();
  assert.equal(table.lease?.spec.holderIdentity, 'us');
});

test('[CG-160] after a conflict, release reads the Lease again and retries', async () => {
  const { elect, table } = setUp();
  const election = elect();
  await election.acquire(signal);
  let conflicts = 0;
  table.before = ({ method }) => {
    if (method === 'PUT' && conflicts++ < 3) throw refusal(409, 'Conflict');
  };
  await election.release();
  assert.equal(table.lease?.spec.holderIdentity, '');
  assert.deepEqual(table.requests.slice(2), ['GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT']);
});

test('[CG-160] a release whose requests get no response ends after the renew deadline', async () => {
  const { elect, table, logger, pass } = setUp();
  const election = elect();
  await election.acquire(signal);
  table.before = () => new Promise(() => undefined);
  let released = false;
  void election.release().then(() => {
    released = true;
  });
  await pass(9900);
  assert.equal(released, false);
  await pass(200);
  assert.equal(released, true);
  assert.match(logger.lines.at(-1)?.message ?? '', /cannot release the lease/);
});

for (const method of ['PUT', 'GET'] as const) {
  test(`[CG-161] release aborts a pending ${method} and clears the holder of the Lease, even if the server has executed the request`, async () => {
    for (const carriedOut of [true, false]) {
      const { elect, table, pass } = setUp();
      const election = elect();
      await election.acquire(signal);
      if (method === 'GET') table.write({ ...table.lease?.spec, renewTime: '2029-01-01T00:00:00.000000Z' });
      let aborted = false;
      table[carriedOut ? 'after' : 'before'] = (request) => {
        if (request.method !== method || aborted) return;
        return new Promise((_, reject) => {
          request.signal?.addEventListener('abort', () => {
            aborted = true;
            reject(request.signal?.reason);
          });
        });
      };
      await pass(2000);
      await election.release();
      assert.equal(aborted, true);
      assert.equal(table.lease?.spec.holderIdentity, '');
    }
  });
}

test('[CG-161] a release while the candidate acquires the Lease clears the holder of the Lease', async () => {
  const { elect, table } = setUp();
  const election = elect();
  table.after = ({ method, signal: requestSignal }) => {
    if (method !== 'POST') return;
    return new Promise((_, reject) => {
      requestSignal?.addEventListener('abort', () => reject(requestSignal.reason), { once: true });
    });
  };
  const acquired = assert.rejects(election.acquire(signal), { code: 'ELECTION_ENDED' });
  await settle();
  await election.release();
  await acquired;
  assert.equal(table.lease?.spec.holderIdentity, '');
});

test('[CG-162] a leader is unhealthy when its Lease expired longer ago than the tolerance, and a candidate is never unhealthy', async () => {
  const { elect, clock, table } = setUp({ healthTolerance: '5s' });
  const election = elect();
  assert.equal(election.check(), undefined);
  await election.acquire(signal);
  assert.equal(election.check(), undefined);
  table.before = () => new Promise(() => undefined);
  clock.advance(20_000);
  assert.equal(election.check(), undefined);
  clock.advance(1000);
  assert.equal(election.check(), 'Lease apps/leader was not renewed and expired 6 s ago');
  const other = elect('other');
  const stop = new AbortController();
  const acquired = other.acquire(stop.signal);
  clock.advance(60_000);
  assert.equal(other.check(), undefined);
  stop.abort(new Error('stopped'));
  await assert.rejects(acquired, /stopped/);
});

test('[CG-162] a leader is healthy before and after each renewal', async () => {
  const { elect, table, pass } = setUp({ healthTolerance: '0s' });
  const election = elect();
  await election.acquire(signal);
  const checks: (string | undefined)[] = [];
  table.before = () => void checks.push(election.check());
  table.after = () => void checks.push(election.check());
  await pass(10_000);
  assert.equal(checks.length, 10);
  assert.deepEqual(new Set(checks), new Set([undefined]));
});

test('uses a custom lock, and a leader whose lock does not respond loses the leadership', async () => {
  const { clock, logger, pass } = setUp();
  let held: string | undefined;
  const lock = {
    name: 'a table elsewhere',
    get: () => Promise.resolve(undefined),
    create: ({ holderIdentity }: { readonly holderIdentity: string }) => {
      held = holderIdentity;
      return Promise.resolve();
    },
    update: () => new Promise<void>(() => undefined),
  };
  const options = resolveLeaderElection({ name: 'leader', identity: 'us', lock });
  const request = () => Promise.reject(new Error('no server is involved'));
  const election = new LeaderElection(options, { transport: { request }, clock, logger });
  await election.acquire(signal);
  assert.equal(held, 'us');
  await pass(12_100);
  assert.match((await election.lost).message, /lost leadership of a table elsewhere/);
});

test('[CG-156] the statistics count the renewals for which a leader had to read the Lease', async () => {
  const { elect, table, pass } = setUp();
  const election = elect();
  assert.deepEqual(election.stats(), { name: 'leader', isLeader: false, slowPaths: 0 });
  await election.acquire(signal);
  await pass(2000);
  table.write({ ...table.lease?.spec });
  await pass(2000);
  assert.deepEqual(election.stats(), { name: 'leader', isLeader: true, slowPaths: 1 });
});

test('records one event when a leader starts leading and one event when the leader stops, after a loss or a release', async () => {
  for (const isLost of [true, false]) {
    const { clock, table, logger, pass } = setUp();
    const reported: string[] = [];
    const events = {
      normal: (_lease: unknown, reason: string, message: string) => void reported.push(`${reason}: ${message}`),
    };
    const options = resolveLeaderElection({ name: 'leader', namespace: 'apps', identity: 'us' });
    const election = new LeaderElection(options, { transport: table, clock, logger, events });
    await election.acquire(signal);
    assert.deepEqual(reported, ['LeaderElection: us became leader']);
    if (isLost) table.write({ holderIdentity: 'other', leaseDurationSeconds: 15, leaseTransitions: 1 });
    if (isLost) await pass(2000);
    await election.release();
    assert.deepEqual(reported.slice(1), ['LeaderElection: us stopped leading']);
  }
});

test('logs a missing permission once, with the fix, and acquires the Lease after the permission is granted', async () => {
  const { elect, table, logger, pass } = setUp();
  table.before = () => {
    throw refusal(403, 'Forbidden');
  };
  const election = elect();
  const acquired = election.acquire(signal);
  await pass(30_000);
  assert.match(election.refusal ?? '', /^cannot acquire Lease apps\/leader: .*; bind a role with the rule/);
  assert.equal(logger.lines.filter(({ level }) => level === 'error' || level === 'warn').length, 1);
  table.before = () => undefined;
  await pass(5000);
  await acquired;
  assert.equal(election.refusal, undefined);
});

test('does not log an unreachable server as a missing permission', async () => {
  const { elect, table, pass } = setUp();
  table.before = () => {
    throw new Error('connection refused');
  };
  const election = elect();
  const acquired = election.acquire(signal);
  await pass(5000);
  assert.equal(election.refusal, undefined);
  table.before = () => undefined;
  await pass(5000);
  await acquired;
});
