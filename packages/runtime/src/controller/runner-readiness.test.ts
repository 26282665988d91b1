import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { exponential, fastThenSlow } from '../queue/delay-rule.js';
import { counted, Disk, disk, machine, Machine, settle, setUp } from '../test-support/controller-bench.js';
import { ObjectTable } from '../test-support/object-table.js';
import { WatchBench } from '../test-support/watch-bench.js';
import { resolveControllerOptions } from './options/resolved-options.js';
import { Result } from './reconciler/result.js';
import { watch } from './watches/watch-declaration.js';

/** A table of objects whose first list completes when the test calls `arrive`, and fails when the test calls `fail`. */
class LateTable extends ObjectTable {
  #arrive: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  readonly #arrived = new Promise<void>((resolve, reject) => {
    this.#arrive = resolve;
    this.#fail = reject;
  });
  override synced(): Promise<void> {
    return this.#arrived;
  }
  arrive(): void {
    this.#arrive();
  }
  fail(error: unknown): void {
    this.#fail(error);
  }
}

async function withLateDisks() {
  const machines = new ObjectTable();
  const disks = new LateTable();
  const acquire = async (kind: unknown): Promise<never> => (kind === Machine ? machines : disks) as never;
  const map = (): readonly { readonly namespace: string; readonly name: string }[] => [
    { namespace: 'default', name: 'a' },
  ];
  const watches = [watch<KubeObject>(Disk, { map })];
  const bench = await WatchBench.open({ watches }, { dependencies: { informers: { acquire } } });
  return { bench, machines, disks };
}

test('[CG-217] never reconciles the same object concurrently, regardless of events', async () => {
  let [running, most] = [0, 0];
  const { run } = counted(async (call) => {
    most = Math.max(most, ++running);
    await settle();
    running--;
    return call < 5 ? Result.requeueAfter('1ms') : Result.done();
  });
  const { machines, runner, advance } = await setUp(run, { concurrency: 4 });
  for (let change = 0; change < 20; change++) {
    machines.put(machine('a', { image: String(change) }));
    runner.enqueue({ namespace: 'default', name: 'a' });
    await advance(1);
  }
  assert.equal(most, 1);
});

test('[CG-218] an idle worker processes a key that is added later', async () => {
  const { calls, run } = counted(() => Result.requeueAfter('10s'));
  const { machines, advance } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(5000);
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
  await advance(5000);
  assert.deepEqual(calls, ['a', 'b', 'a']);
});

test('[CG-219, CG-220] reconciles nothing until all kinds are listed, and then reconciles each object once', async () => {
  const { bench, machines, disks } = await withLateDisks();
  for (const image of ['x', 'y', 'z']) machines.put(machine('a', { image }));
  disks.put(disk('d'));
  const started = bench.start();
  await settle();
  assert.deepEqual(bench.calls, []);
  assert.equal(bench.runner.stats().queue.depth, 1);
  disks.arrive();
  assert.deepEqual(await started, ['a']);
});

test('[CG-221] the start rejects if a list fails, and nothing is reconciled', async () => {
  const { bench, machines, disks } = await withLateDisks();
  machines.put(machine('a'));
  const started = bench.start();
  disks.fail(new Error('the watch was closed'));
  await assert.rejects(started, /the watch was closed/);
  assert.deepEqual(bench.calls, []);
});

test('[CG-222] reconciles at most `concurrency` objects at a time', async () => {
  let [running, most] = [0, 0];
  const { calls, run } = counted(async () => {
    most = Math.max(most, ++running);
    await settle();
    running--;
    return Result.done();
  });
  const { machines } = await setUp(run, { concurrency: 3 });
  for (let at = 0; at < 20; at++) machines.put(machine(`m-${at}`));
  while (calls.length < 20) await settle();
  assert.equal(most, 3);
});

test('resize changes the number of concurrent reconciles without ending active runs', async () => {
  const ends: (() => void)[] = [];
  const { calls, run } = counted(async () => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return Result.done();
  });
  const { machines, runner, settle: settled } = await setUp(run, { concurrency: 2 });
  for (let at = 0; at < 12; at++) machines.put(machine(`m-${at}`));
  await settled();
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await settled();
  };
  assert.equal(ends.length, 2);
  runner.resize(4);
  await settled();
  assert.equal(ends.length, 4);
  runner.resize(1);
  for (const left of [3, 2, 1, 1]) {
    await endOne();
    assert.equal(ends.length, left);
  }
  while (ends.length > 0) await endOne();
  assert.equal(calls.length, 12);
  runner.resize(3);
  await settled();
  runner.resize(1);
  for (let at = 0; at < 3; at++) machines.put(machine(`idle-${at}`));
  await settled();
  assert.equal(ends.length, 1, 'the waiting workers have ended, too');
  while (ends.length > 0) await endOne();
  assert.equal(calls.length, 15);
  await runner.stop();
});

test('[CG-223] reconciles thousands of objects that are requeued for the same time', async () => {
  const { calls, run } = counted((call) => (call === 1 ? Result.requeueAfter('1s') : Result.done()));
  const { machines, advance, runner } = await setUp(run, { concurrency: 10 });
  for (let at = 0; at < 3000; at++) machines.put(machine(`m-${at}`));
  while (calls.length < 3000) await settle();
  await advance(1000);
  while (calls.length < 6000) await settle();
  assert.deepEqual(runner.pending(), []);
});

test('accepts a built-in rule or a function as backoff, and logs an invalid delay', async () => {
  const { run } = counted(() => {
    throw new Error('no');
  });
  const { machines, clock, advance } = await setUp(run, {
    backoff: fastThenSlow({ fast: '1s', slow: '1m', fastAttempts: 2 }),
    reconcileCondition: false,
  });
  machines.put(machine('a'));
  await settle();
  const delays: number[] = [];
  for (let failure = 0; failure < 4; failure++) {
    delays.push(...clock.pendingMs);
    await advance(clock.pendingMs[0] ?? 0);
  }
  assert.deepEqual(delays, [1000, 1000, 60_000, 60_000]);

  const broken = await setUp(run, { backoff: () => Number.NaN, reconcileCondition: false });
  broken.machines.put(machine('a'));
  await settle();
  assert.deepEqual(broken.clock.pendingMs, [5]);
  assert.match(
    broken.logger.lines.map(({ message }) => message).join(),
    /the delay function of backoff failed; using the default delay/,
  );
});

test('a retry limit spreads the retries of all objects, and invalid options of the limit are rejected', async () => {
  const { run, calls } = counted((call) => {
    if (call === 1) throw new Error('the service is down');
    return Result.done();
  });
  const { machines, advance } = await setUp(run, {
    backoff: exponential({ initial: '1ms', max: '1ms' }),
    retryLimit: { perSecond: 2, burst: 1 },
  });
  for (const name of ['a', 'b', 'c']) machines.put(machine(name));
  await settle();
  calls.length = 0;
  const after: number[] = [];
  for (const ms of [1, 499, 500]) {
    await advance(ms);
    after.push(calls.length);
  }
  assert.deepEqual(after, [1, 2, 3]);
  const refused = (options: object, message: RegExp): void =>
    assert.throws(() => resolveControllerOptions({ for: Machine, name: 'vm', ...options }), { message });
  for (const perSecond of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    refused({ retryLimit: { perSecond } }, /controller 'vm': retryLimit is \{ perSecond: /);
  }
  refused({ starvationLimit: 'long' }, /starvationLimit is 'long': it must be a duration/);
});
