import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ManualClock } from '../test-support/manual-clock.js';
import { exponential } from './delay-rule.js';
import { WorkQueue } from './work-queue.js';

function setUp(): { clock: ManualClock; queue: WorkQueue<string> } {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue<string>({ clock }) };
}
/** Whether the promise is settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}
/** Takes all ready keys without calling `done`. */
async function takeAll(queue: WorkQueue<string>): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) keys.push((await queue.get())?.key ?? '');
  return keys;
}

test('[CG-120] with many producers and consumers, never returns a key twice at a time and loses no key', async () => {
  const { queue } = setUp();
  const running = new Set<string>();
  const worked = new Set<string>();
  const consumer = async (): Promise<void> => {
    for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
      assert.ok(!running.has(item.key), `${item.key} is processed twice at the same time`);
      running.add(item.key);
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(item.key);
      worked.add(item.key);
      queue.done(item.key);
    }
  };
  const producer = async (from: number): Promise<void> => {
    for (let at = 0; at < 50; at++) {
      queue.add(`key-${(from + at) % 20}`);
      if (at % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const consumers = Array.from({ length: 10 }, consumer);
  await Promise.all(Array.from({ length: 50 }, (_, at) => producer(at)));
  await queue.shutDown({ drain: true });
  await Promise.all(consumers);
  assert.equal(worked.size, 20);
  assert.equal(queue.length, 0);
});

test('[CG-121] returns a key once more if it is added several times during its processing', async () => {
  const { queue } = setUp();
  queue.add('a');
  assert.equal((await queue.get())?.key, 'a');
  for (let at = 0; at < 100; at++) queue.add('a');
  assert.equal(queue.length, 0, 'the key is not handed out before it is done');
  queue.done('a');
  assert.equal(queue.length, 1);
  assert.equal((await queue.get())?.key, 'a');
  queue.done('a');
  assert.equal(queue.length, 0);
});

test('[CG-122] merges adds of a waiting key', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'a', 'a', 'b']) queue.add(key);
  assert.equal(queue.length, 2);
  assert.deepEqual(await takeAll(queue), ['a', 'b']);
});

test('[CG-123] returns a key again if it is added after it is done', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.get();
  queue.done('a');
  queue.add('a');
  assert.equal((await queue.get())?.key, 'a');
  queue.done('a');
  assert.equal(queue.length, 0);
});

test('[CG-124] a shutdown with drain resolves when all taken and ready keys are done', async () => {
  const { queue } = setUp();
  queue.add('a');
  queue.add('b');
  await queue.get();
  const drained = queue.shutDown({ drain: true });
  assert.equal(await isSettled(drained), false);
  queue.done('a');
  assert.equal(await isSettled(drained), false, 'b is still waiting');
  assert.equal((await queue.get())?.key, 'b');
  queue.done('b');
  await drained;
  assert.equal(await queue.get(), undefined);
});

test('[CG-124] a shutdown with drain waits for ready keys even if no key is in processing', async () => {
  const { queue } = setUp();
  queue.add('a');
  const drained = queue.shutDown({ drain: true });
  assert.equal(await isSettled(drained), false);
  await queue.get();
  queue.done('a');
  await drained;
});

test('[CG-125] a shutdown with drain waits for a key that was added again during its processing', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.get();
  queue.add('a');
  const drained = queue.shutDown({ drain: true });
  queue.done('a');
  assert.equal(await isSettled(drained), false);
  assert.equal((await queue.get())?.key, 'a');
  queue.done('a');
  await drained;
});

test('[CG-126] a shutdown without drain does not wait, and later adds are ignored', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.get();
  await queue.shutDown();
  queue.add('b');
  assert.equal(queue.length, 0);
  assert.equal(await queue.get(), undefined);
});

test('[CG-127] a shutdown without drain ends a shutdown with drain', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.get();
  const drained = queue.shutDown({ drain: true });
  await queue.shutDown();
  await drained;
  assert.equal(queue.processing, 1);
});

test('a shutdown resolves all waiting gets', async () => {
  const { queue } = setUp();
  const waiting = [queue.get(), queue.get()];
  await queue.shutDown();
  assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
});

test('[CG-128] does not keep a reference to a key that is done', async () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const queue = new WorkQueue<object>({ clock: new ManualClock() });
  const key = new WeakRef(await workOn(queue));
  for (let tries = 0; tries < 10 && key.deref() !== undefined; tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  assert.equal(key.deref(), undefined);
});
async function workOn(queue: WorkQueue<object>): Promise<object> {
  const key = { name: 'a' };
  queue.add(key);
  await queue.get();
  queue.done(key);
  return key;
}

test('[CG-129] does not return a delayed key before it is due', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 50 });
  assert.equal(queue.length, 0);
  assert.equal(queue.nextDueMs, 50);
  clock.advance(49);
  assert.equal(queue.length, 0);
  clock.advance(1);
  assert.deepEqual(await takeAll(queue), ['a']);
  assert.equal(queue.nextDueMs, undefined);
});

test('[CG-130] uses the earliest time of several delayed adds of a key, and returns the key once', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 50 });
  queue.add('a', { after: 70 });
  clock.advance(50);
  assert.deepEqual(await takeAll(queue), ['a']);
  queue.done('a');
  clock.advance(1000);
  assert.equal(queue.length, 0);

  queue.add('a', { after: 50 });
  queue.add('a', { after: 30 });
  clock.advance(40);
  assert.deepEqual(await takeAll(queue), ['a']);
  queue.done('a');
  clock.advance(1000);
  assert.equal(queue.length, 0);
});

test('[CG-131] returns the earlier of two delayed keys first', async () => {
  const { clock, queue } = setUp();
  queue.add('late', { after: 1000 });
  queue.add('early', { after: 50 });
  clock.advance(60);
  assert.deepEqual(await takeAll(queue), ['early']);
  queue.done('early');
  clock.advance(1000);
  assert.deepEqual(await takeAll(queue), ['late']);
});

test('[CG-132] returns many delayed keys in the order in which they are due', async () => {
  const { clock, queue } = setUp();
  const delays = Array.from({ length: 200 }, (_, at) => ((at * 7919) % 997) + 1);
  delays.forEach((after, at) => queue.add(`${after}/${at}`, { after }));
  for (let preferred = 0; preferred < 200; preferred += 3) queue.add(`${delays[preferred]}/${preferred}`);
  await takeAll(queue);
  clock.advance(1000);
  const expected = delays.map((after, at) => ({ after, at })).filter(({ at }) => at % 3 !== 0);
  expected.sort((a, b) => a.after - b.after || a.at - b.at);
  assert.deepEqual(
    await takeAll(queue),
    expected.map(({ after, at }) => `${after}/${at}`),
  );
});

test('[CG-133] the delay of each key increases separately until the key is forgotten', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock, delayRule: exponential({ initial: '1ms', max: '1s' }) });
  const delays: (number | undefined)[] = [];
  for (let at = 0; at < 5; at++) {
    queue.add('a', { rateLimited: true });
    delays.push(queue.nextDueMs);
    queue.add('a');
    await queue.get();
    queue.done('a');
  }
  assert.deepEqual(delays, [1, 2, 4, 8, 16]);
  assert.equal(queue.failures('a'), 5);
  queue.add('b', { rateLimited: true });
  assert.equal(queue.nextDueMs, 1);
  queue.forget('a');
  assert.equal(queue.failures('a'), 0);
  assert.equal(queue.failures('b'), 1);
});

test('[CG-136] returns a rate-limited key after its delay, and uses the initial delay again after forget', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { rateLimited: true });
  queue.add('b', { rateLimited: true });
  clock.advance(5);
  assert.deepEqual(await takeAll(queue), ['a', 'b']);
  queue.done('a');
  queue.done('b');
  queue.forget('b');
  queue.add('a', { rateLimited: true });
  queue.add('b', { rateLimited: true });
  clock.advance(5);
  const again = await queue.get();
  assert.deepEqual([again?.key, again?.attempt], ['b', 2]);
  clock.advance(5);
  assert.deepEqual(await takeAll(queue), ['a']);
});

test('[CG-137] stats returns the numbers of keys and the times of the queue after each operation', async () => {
  const { clock, queue } = setUp();
  queue.add('a');
  queue.add('a');
  clock.advance(50);
  let stats = queue.stats();
  assert.deepEqual([stats.depth, stats.adds, stats.processing], [1, 1, 0]);

  await queue.get();
  clock.advance(25);
  queue.add('a');
  stats = queue.stats();
  assert.deepEqual([stats.depth, stats.adds, stats.processing], [0, 2, 1]);
  assert.deepEqual(stats.queueMs, { count: 1, sum: 50 });
  assert.deepEqual([stats.unfinishedWorkMs, stats.longestRunningMs], [25, 25]);

  queue.done('a');
  stats = queue.stats();
  assert.deepEqual([stats.depth, stats.processing, stats.unfinishedWorkMs], [1, 0, 0]);
  assert.deepEqual(stats.workMs, { count: 1, sum: 25 });

  queue.add('b', { after: 10 });
  stats = queue.stats();
  assert.deepEqual([stats.delayed, stats.retries, stats.adds], [1, 1, 2]);
});

test('[CG-138] a shutdown leaves no running timer', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 50 });
  queue.add('b', { rateLimited: true });
  assert.equal(clock.pendingMs.length, 1, 'one timer serves all delayed keys');
  await queue.shutDown();
  assert.equal(clock.pendingMs.length, 0);
});

test('a rate-limited add with a delay uses the shorter of the two delays', () => {
  const { queue } = setUp();
  queue.add('a', { rateLimited: true, after: 2 });
  assert.equal(queue.nextDueMs, 2);
  queue.add('b', { rateLimited: true, after: 1 });
  assert.equal(queue.nextDueMs, 1);
});

test('returns keys of a higher priority first, and appends a key whose priority increases to the keys of its new priority', async () => {
  const { queue } = setUp();
  queue.add('low', { priority: -100 });
  queue.add('a');
  queue.add('b', { priority: 5 });
  queue.add('low', { priority: 5 });
  queue.add('b', { priority: 1 });
  assert.equal(queue.length, 3);
  assert.deepEqual(await takeAll(queue), ['b', 'low', 'a']);
  assert.equal(queue.length, 0);
});

test('a returned key contains the causes of all adds since the key was last returned', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { cause: { kind: 'added' } });
  queue.add('a', { cause: { kind: 'modified', changedPaths: ['spec.image'] } });
  queue.add('a', { after: 10, cause: { kind: 'every' } });
  queue.add('timed', { after: 10, cause: { kind: 'requeue' } });
  queue.add('timed', { cause: { kind: 'owned' } });
  const first = await queue.get();
  assert.deepEqual(first?.causes, [{ kind: 'added' }, { kind: 'modified', changedPaths: ['spec.image'] }]);
  assert.deepEqual((await queue.get())?.causes, [{ kind: 'owned' }], 'the timer did not add the key');
  queue.add('a', { after: 10, cause: { kind: 'every' } });
  queue.done('a');
  clock.advance(10);
  assert.deepEqual((await queue.get())?.causes, [{ kind: 'every' }]);
});

test('resumeRetry restores the due time of a retry whose key was returned early, without counting a failure', async () => {
  const { clock, queue } = setUp();
  const cause = { kind: 'retry', attempt: 2 } as const;
  queue.add('a', { rateLimited: true, cause });
  queue.add('a');
  const early = await queue.get();
  assert.deepEqual(early?.retry, { dueMs: 5, cause });
  clock.advance(3);
  if (early !== undefined) queue.resumeRetry(early);
  queue.done('a');
  assert.deepEqual([queue.nextDueMs, queue.failures('a')], [2, 1]);
  clock.advance(2);
  const retried = await queue.get();
  assert.deepEqual([retried?.causes, retried?.retry, retried?.attempt], [[cause], undefined, 2]);
});

test('pending returns keys that are ready, in processing or due, and no delayed keys', async () => {
  const { queue } = setUp();
  queue.add('running');
  await queue.get();
  queue.add('ready');
  queue.add('later', { after: 10 });
  assert.deepEqual(queue.pending(), ['running', 'ready']);
});

test('pending with a time includes a failed key whose retry is due within this time', async () => {
  const { queue } = setUp();
  queue.add('failed');
  await queue.get();
  queue.add('failed', { rateLimited: true });
  queue.done('failed');
  queue.add('later', { after: 5 });
  assert.deepEqual(queue.pending(), []);
  assert.deepEqual(queue.pending(100), ['failed']);
});

test('reads the clock once for each step of a cycle, and not for the add of a waiting key or for the handover to a waiting worker', async () => {
  const { clock, queue } = setUp();
  let readings = 0;
  const monotonicMs = clock.monotonicMs.bind(clock);
  clock.monotonicMs = () => {
    readings++;
    return monotonicMs();
  };
  const readingsOf = (step: () => void): number => {
    readings = 0;
    step();
    return readings;
  };
  assert.equal(
    readingsOf(() => queue.add('a')),
    1,
  );
  assert.equal(
    readingsOf(() => queue.add('a')),
    0,
  );
  assert.equal(
    readingsOf(() => queue.take()),
    1,
  );
  assert.equal(
    readingsOf(() => queue.done('a')),
    1,
  );
  const next = queue.get();
  assert.equal(
    readingsOf(() => queue.add('b')),
    1,
  );
  assert.equal((await next)?.key, 'b');
  queue.add('b');
  const again = queue.get();
  assert.equal(
    readingsOf(() => queue.done('b')),
    1,
  );
  assert.equal((await again)?.key, 'b');
});

test('a key that is added again is a new key, regardless of the number of other keys since then', async () => {
  const { clock, queue } = setUp();
  const keys = Array.from({ length: 3000 }, (_, at) => `key-${at}`);
  for (let round = 0; round < 3; round++) {
    for (const key of keys) {
      queue.add(key, { priority: round });
      if (round === 1) queue.add(key, { rateLimited: true });
    }
    clock.advance(1);
    assert.deepEqual(queue.pending(), keys);
    const taken = keys.map(() => queue.take());
    assert.deepEqual(
      taken.map((item) => item?.key),
      keys,
    );
    assert.ok(taken.every((item) => item?.priority === round && item.attempt === (round === 1 ? 2 : 1)));
    for (const key of keys) {
      queue.forget(key);
      queue.done(key);
      queue.forget(key);
      assert.equal(queue.dueInMs(key), undefined);
    }
    assert.deepEqual([queue.pending(), queue.stats().processing, queue.stats().depth], [[], 0, 0]);
  }
});
