import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ManualClock } from '../test-support/manual-clock.js';
import { WorkQueue } from './work-queue.js';

function setUp(options: { readonly starvationLimit?: number } = {}): { clock: ManualClock; queue: WorkQueue<string> } {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue<string>({ clock, ...options }) };
}
async function take(queue: WorkQueue<string>): Promise<string | undefined> {
  return queue.length === 0 ? undefined : (await queue.get())?.key;
}
async function takeAll(queue: WorkQueue<string>): Promise<string[]> {
  const keys: string[] = [];
  for (let key = await take(queue); key !== undefined; key = await take(queue)) {
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

test('[PQ-01] get returns an added key', async () => {
  const { queue } = setUp();
  queue.add('a');
  assert.equal((await queue.get())?.key, 'a');
});

test('[PQ-02] returns keys with a higher priority first', async () => {
  const { queue } = setUp();
  queue.add('low', { priority: -100 });
  queue.add('normal');
  queue.add('high', { priority: 10 });
  assert.deepEqual(await takeAll(queue), ['high', 'normal', 'low']);
});

test('[PQ-03, PQ-04, PQ-06, CG-213] accepts an add of a key in processing, and returns the key again when it is done', async () => {
  const { queue } = setUp();
  queue.add('a', { priority: -100 });
  assert.equal((await queue.get())?.priority, -100);
  queue.add('a', { priority: -5 });
  assert.equal(queue.length, 0);
  const waiting = queue.get();
  queue.done('a');
  const again = await waiting;
  assert.deepEqual([again?.key, again?.priority], ['a', -5], 'with its own priority');
});

test('[CG-214] a key that waits for the end of its own processing does not block other keys', async () => {
  const { queue } = setUp();
  queue.add('held', { priority: 10 });
  await queue.get();
  queue.add('held', { priority: 10 });
  queue.add('other');
  assert.equal(await take(queue), 'other');
});

test('[PQ-05, CG-215] merges adds of a waiting key, and a later delay does not postpone the key', async () => {
  const { clock, queue } = setUp();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  queue.add('a', { after: 50 });
  queue.add('a', { rateLimited: true });
  assert.deepEqual(await takeAll(queue), ['a', 'b']);
  clock.advance(1_000_000);
  assert.equal(queue.length, 0);
});

test('[PQ-07, PQ-08] uses the highest priority of several adds of a waiting key', async () => {
  const { queue } = setUp();
  queue.add('a', { priority: 1 });
  queue.add('a', { priority: 3 });
  queue.add('a', { priority: 2 });
  queue.add('a', { priority: -7, after: 100 });
  assert.equal((await queue.get())?.priority, 3);
});

test('[PQ-09] a key whose priority increases is returned before keys with a lower priority', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'c']) queue.add(key);
  queue.add('c', { priority: 1 });
  assert.deepEqual(await takeAll(queue), ['c', 'a', 'b']);
});

test('[PQ-10, CG-209, CG-210, CG-212] uses the earliest time of several delayed adds, in any order of the adds', async () => {
  const { clock, queue } = setUp();
  queue.add('sooner', { after: 100, cause: { kind: 'retry' } });
  queue.add('sooner', { after: 50, cause: { kind: 'every' } });
  queue.add('later', { after: 50 });
  queue.add('later', { after: 100 });
  clock.advance(49);
  assert.equal(queue.length, 0);
  clock.advance(1);
  const first = await queue.get();
  assert.deepEqual([first?.key, first?.causes.map(({ kind }) => kind)], ['sooner', ['every']]);
  assert.equal(await take(queue), 'later');
  queue.done('later');
  queue.done('sooner');
  clock.advance(100);
  assert.equal(queue.length, 0, 'the other times are discarded');
});

test('[PQ-11, PQ-25] counts a delayed key as waiting from the time when it is due', () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 10, priority: 2 });
  assert.deepEqual([queue.length, queue.stats().depth, queue.stats().delayed], [0, 0, 1]);
  clock.advance(10);
  assert.deepEqual([queue.length, queue.stats().depth, queue.stats().delayed], [1, 1, 0]);
  assert.deepEqual([...queue.stats().depthByPriority], [[2, 1]]);
});

test('[PQ-12, PQ-24] a shutdown resolves a waiting get with undefined', async () => {
  for (const clock of [new ManualClock(), new SystemClock()]) {
    const queue = new WorkQueue<string>({ clock });
    const waiting = queue.get();
    queue.add('later', { after: 60_000 });
    await queue.shutDown();
    assert.equal(await waiting, undefined);
    assert.equal(await queue.get(), undefined);
  }
});

test('[PQ-13] returns each of thousands of keys once', async () => {
  const { clock, queue } = setUp();
  const keys = Array.from({ length: 5000 }, (_, at) => `key-${at}`);
  keys.forEach((key, at) => queue.add(key, { priority: at % 7, after: at % 3 }));
  clock.advance(3);
  const taken = await takeAll(queue);
  assert.equal(taken.length, 5000);
  assert.equal(new Set(taken).size, 5000);
  assert.deepEqual([...queue.stats().depthByPriority], []);
});

test('[PQ-14, PQ-15, PQ-26] counts a delayed key once if it is added again without a delay', async () => {
  for (const { waitMs, priority } of [
    { waitMs: 0, priority: 0 },
    { waitMs: 0, priority: 100 },
    { waitMs: 60, priority: 0 },
  ]) {
    const { clock, queue } = setUp();
    queue.add('a', { after: 60 });
    assert.deepEqual(figures(queue), { depth: 0, adds: 0, retries: 1, delayed: 1 });
    clock.advance(waitMs);
    queue.add('a', { priority });
    assert.deepEqual(figures(queue), { depth: 1, adds: 1, retries: 1, delayed: 0 });
    assert.deepEqual([...queue.stats().depthByPriority], [[priority, 1]]);
    assert.equal((await queue.get())?.priority, priority);
    assert.deepEqual(figures(queue), { depth: 0, adds: 1, retries: 1, delayed: 0 });
    queue.done('a');
    clock.advance(1000);
    assert.equal(queue.length, 0);
    assert.deepEqual(clock.pendingMs, []);
  }
});
function figures(queue: WorkQueue<string>) {
  const { depth, adds, retries, delayed } = queue.stats();
  return { depth, adds, retries, delayed };
}

test('[PQ-16] returns keys with the same priority by arrival, or by the time when they reached this priority', async () => {
  const { queue } = setUp();
  queue.add('risen', { priority: -1 });
  queue.add('a');
  queue.add('b');
  queue.add('risen');
  queue.add('c');
  assert.deepEqual(await takeAll(queue), ['a', 'b', 'risen', 'c']);
});

test('[PQ-18] always returns keys with a high priority before keys with a low priority', async () => {
  const { queue } = setUp();
  for (let round = 0; round < 500; round++) {
    for (const key of ['low-1', 'low-2']) queue.add(key, { priority: -100 });
    for (const key of ['high-1', 'high-2']) queue.add(key);
    assert.deepEqual(await takeAll(queue), ['high-1', 'high-2', 'low-1', 'low-2']);
  }
});

test('[PQ-19, PQ-21, CG-208, CG-218] resolves a waiting get when a delayed key is due', async () => {
  const { clock, queue } = setUp();
  let taken: string | undefined;
  const waiting = queue.get().then((item) => (taken = item?.key));
  queue.add('a', { after: 500 });
  clock.advance(499);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(taken, undefined);
  clock.advance(1);
  assert.equal(await waiting, 'a');
});

test('[PQ-20] returns a delayed key with a higher priority before ready keys with a lower priority as soon as it is due', async () => {
  const { clock, queue } = setUp();
  queue.add('high', { after: 10, priority: 1 });
  queue.add('low-1');
  queue.add('low-2');
  assert.equal(await take(queue), 'low-1');
  clock.advance(10);
  assert.equal(await take(queue), 'high');
});

test('if several keys become ready together, a waiting get receives the key with the highest priority', async () => {
  const { clock, queue } = setUp();
  const waiting = queue.get();
  queue.add('low', { after: 10, priority: -100 });
  queue.add('high', { after: 10 });
  clock.advance(10);
  assert.equal((await waiting)?.key, 'high');
});

test('[PQ-22] an add without a delay appends a delayed key to the ready keys of its priority, and keeps a higher priority', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 100 });
  queue.add('b', { after: 100, priority: 5 });
  queue.add('c');
  queue.add('a');
  queue.add('b');
  assert.deepEqual(await takeAll(queue), ['b', 'c', 'a']);
  clock.advance(100);
  assert.equal(queue.length, 0);
});

test('[PQ-23] returns delayed keys in the order in which they are due', async () => {
  const { clock, queue } = setUp();
  for (const [key, after] of [
    ['third', 30],
    ['first', 10],
    ['second', 20],
  ] as const)
    queue.add(key, { after });
  clock.advance(30);
  assert.deepEqual(await takeAll(queue), ['first', 'second', 'third']);
});

test('[PQ-27] rate-limited adds of different keys have separate delays', () => {
  const { queue } = setUp();
  for (let failure = 0; failure < 3; failure++) queue.add('often', { rateLimited: true });
  queue.add('once', { rateLimited: true });
  assert.equal(queue.nextDueMs, 5);
  assert.deepEqual([queue.failures('often'), queue.failures('once')], [3, 1]);
});

test('[PQ-28] completes a shutdown while a key is delivered', async () => {
  const { queue } = setUp();
  const getters = [queue.get(), queue.get()];
  queue.add('a');
  const shutDown = queue.shutDown();
  assert.deepEqual(
    (await Promise.all(getters)).map((item) => item?.key),
    ['a', undefined],
  );
  await shutDown;
  queue.done('a');
  assert.equal(await queue.get(), undefined);
});

test('[CG-211] accepts a delayed add of a key that is in processing', async () => {
  const { clock, queue } = setUp();
  queue.add('a', { after: 10 });
  clock.advance(10);
  assert.equal(await take(queue), 'a');
  queue.add('a', { after: 10 });
  queue.done('a');
  assert.equal(queue.length, 0);
  clock.advance(10);
  assert.equal(await take(queue), 'a');
});

test('a key that becomes due during its processing is returned after it is done', async () => {
  const { clock, queue } = setUp();
  queue.add('a');
  await queue.get();
  queue.add('a', { after: 10 });
  clock.advance(10);
  assert.equal(queue.length, 0);
  assert.deepEqual(queue.pending(), ['a']);
  queue.done('a');
  assert.equal(queue.length, 1);
});

test('[CG-216] merges adds with the same delay, and later adds do not postpone the key', async () => {
  const { clock, queue } = setUp();
  for (let change = 0; change < 10; change++) {
    queue.add('a', { after: 30 });
    clock.advance(2);
  }
  clock.advance(10);
  assert.deepEqual(await takeAll(queue), ['a']);
  clock.advance(1000);
  assert.equal(queue.length, 0);
});

test('a retry limit spreads the retries of all keys after the burst', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({
    clock,
    delayRule: () => 1,
    retryLimit: { perSecond: 10, burst: 2 },
  });
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key, { rateLimited: true });
  queue.add('changed');
  clock.advance(1);
  assert.deepEqual(await takeAll(queue), ['changed', 'a', 'b']);
  clock.advance(99);
  assert.deepEqual(await takeAll(queue), ['c']);
  clock.advance(100);
  assert.deepEqual(await takeAll(queue), ['d']);
  clock.advance(1000);
  queue.add('a', { rateLimited: true });
  assert.equal(queue.nextDueMs, 1, 'the bucket is full again, and only the delay of the key remains');
});

test('with `starvationLimit`, a key of a low priority does not starve, and keys of higher priorities receive nine of ten turns', async () => {
  const { clock, queue } = setUp({ starvationLimit: 60_000 });
  for (const key of ['low-1', 'low-2']) queue.add(key, { priority: -100 });
  const order: string[] = [];
  const busy = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      queue.add('high-1');
      queue.add('high-2');
      const key = (await take(queue)) ?? '';
      order.push(key);
      queue.done(key);
    }
  };
  await busy(100);
  assert.ok(
    order.every((key) => key.startsWith('high')),
    'no key is served before its starvation limit',
  );
  order.length = 0;
  clock.advance(60_001);
  await busy(30);
  assert.deepEqual(
    order.flatMap((key, at) => (key.startsWith('low') ? [[key, at]] : [])),
    [
      ['low-1', 0],
      ['low-2', 10],
    ],
  );
});
