import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalError } from '@kubewright/api/errors';
import fc from 'fast-check';
import { counted, machine, setUp } from '../test-support/controller-bench.js';
import { refusal } from '../test-support/object-table.js';
import { Result } from './reconciler/result.js';

const backoff = { initial: '1s', max: '1000s' } as const;
function fail(error: unknown): never {
  throw error;
}
/** Runs a controller of one machine. The returned function `changed` changes the machine and waits until the queue is idle. */
async function failing(act: (call: number) => Result, options: Parameters<typeof setUp>[1] = {}) {
  const runs: { readonly causes: readonly string[]; readonly attempt: number }[] = [];
  const { run } = counted((call, _, { causes, attempt }) => {
    runs.push({ causes: causes.map(({ kind }) => kind), attempt });
    return act(call);
  });
  const bench = await setUp(run, { backoff, reconcileCondition: false, ...options });
  let version = 0;
  const changed = async (): Promise<void> => {
    bench.machines.put(machine('a', { image: `${++version}` }));
    await bench.settle();
  };
  return { ...bench, runs, changed };
}

test('an event during back-off triggers an immediate reconcile and does not change the time of the retry', async () => {
  const { runs, changed, advance, clock, runner } = await failing(() => fail(new Error('failed')));
  for (let at = 0; at < 10; at++) await changed();
  assert.equal(runs.length, 10);
  assert.deepEqual(clock.pendingMs, [1000]);
  await advance(1000);
  assert.deepEqual(runs.at(-1), { causes: ['retry'], attempt: 2 });
  assert.deepEqual(clock.pendingMs, [2000], 'the second failure in a row');
  await advance(1999);
  await changed();
  assert.deepEqual(clock.pendingMs, [1]);
  await runner.stop();
});

test('an event during the back-off of Result.requeue() does not change the time of the next run', async () => {
  const { runs, changed, advance, clock, runner } = await failing(() => Result.requeue());
  for (let at = 0; at < 10; at++) await changed();
  assert.deepEqual(clock.pendingMs, [1000]);
  await advance(1000);
  assert.deepEqual([runs.length, clock.pendingMs], [11, [2000]]);
  await runner.stop();
});

test('a run that an event triggers before a retry does not count towards maxAttempts', async () => {
  const { runs, changed, advance, clock, runner } = await failing(() => fail(new Error('failed')), { maxAttempts: 3 });
  for (let at = 0; at < 5; at++) await changed();
  await advance(1000);
  for (let at = 0; at < 5; at++) await changed();
  await advance(2000);
  assert.deepEqual(
    runs.filter(({ causes }) => causes[0] === 'retry').map(({ attempt }) => attempt),
    [2, 3],
  );
  assert.deepEqual(clock.pendingMs, [], 'three attempts failed');
  await runner.stop();
});

test('an event during a failing run does not change the time of the retry', async () => {
  const { changed, clock, runner, runs, machines, settle } = await failing((call) => {
    if (call === 1) machines.put(machine('a', { image: 'meanwhile' }));
    return fail(new Error('failed'));
  });
  await changed();
  await settle();
  assert.equal(runs.length, 2);
  assert.deepEqual(clock.pendingMs, [1000]);
  await runner.stop();
});

test('a run that an event starts before a retry cancels the retry if the run succeeds or fails with a terminal error', async () => {
  for (const [act, pending] of [
    [() => Result.done(), []],
    [() => Result.requeueAfter('7s'), [7000]],
    [() => fail(new TerminalError('never')), []],
  ] as const) {
    const { changed, clock, runner } = await failing((call) => (call === 1 ? fail(new Error('failed')) : act()));
    await changed();
    await changed();
    assert.deepEqual(clock.pendingMs, pending);
    await runner.stop();
  }
});

test('a conflict in a run that an event triggers before a retry has its own back-off', async () => {
  const { changed, clock, runner, runs, advance } = await failing(
    (call) => (call <= 6 || call === 11 ? fail(new Error('failed')) : fail(refusal(409, 'Conflict'))),
    { backoff: { initial: '10ms', max: '1000s' } },
  );
  await changed();
  for (const ms of [10, 20, 40, 80, 160]) await advance(ms);
  assert.deepEqual(clock.pendingMs, [320]);
  await changed();
  assert.deepEqual(clock.pendingMs, [10]);
  for (const ms of [10, 20, 40]) {
    assert.deepEqual(clock.pendingMs, [ms]);
    await advance(ms);
  }
  assert.equal(runs.length, 10);
  assert.deepEqual(clock.pendingMs, [80]);
  await advance(80);
  assert.deepEqual(clock.pendingMs, [320 - 150], 'the retry is where it was');
  await runner.stop();
});

test('minInterval delays a run that an event triggers, but does not delay a later retry', async () => {
  const { changed, clock, runner, runs, advance } = await failing(() => fail(new Error('failed')), {
    minInterval: '300ms',
  });
  await changed();
  await changed();
  assert.deepEqual([runs.length, clock.pendingMs], [1, [300]]);
  await advance(300);
  assert.deepEqual([runs.length, clock.pendingMs], [2, [700]]);
  await advance(700);
  assert.deepEqual([runs.length, clock.pendingMs], [3, [2000]]);
  await runner.stop();
});

test('property: retries of an object that always fails follow the back-off, regardless of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 30 }), async (waits) => {
      const retries: number[] = [];
      const { run } = counted((_, __, { causes }) => {
        if (causes.some(({ kind }) => kind === 'retry')) retries.push(bench.clock.monotonicMs());
        return fail(new Error('failed'));
      });
      const bench = await setUp(run, { backoff, reconcileCondition: false });
      const { machines, settle, advance, clock, runner } = bench;
      machines.put(machine('a'));
      await settle();
      for (const [at, wait] of waits.entries()) {
        const until = clock.monotonicMs() + wait;
        while (clock.monotonicMs() < until)
          await advance(Math.min(until - clock.monotonicMs(), Math.max(1, clock.pendingMs[0] ?? 1)));
        if ((clock.pendingMs[0] ?? 0) === 0) continue;
        machines.put(machine('a', { image: `${at}` }));
        await settle();
      }
      const expected = Array.from({ length: 10 }, (_, at) => 1000 * (2 ** (at + 1) - 1));
      assert.deepEqual(
        retries,
        expected.filter((ms) => ms <= clock.monotonicMs()),
      );
      await runner.stop();
    }),
    { numRuns: 60 },
  );
});
