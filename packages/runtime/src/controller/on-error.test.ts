import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { TerminalError } from '@kubewright/api/errors';
import { currentScope } from '../client/scope/reconcile-scope.js';
import { machine, type Reconcile, setUp } from '../test-support/controller-bench.js';
import { refusal } from '../test-support/object-table.js';
import type { FailureContext, Reconciler } from './reconciler/reconciler.js';
import { Result } from './reconciler/result.js';

type OnError = NonNullable<Reconciler<KubeObject>['onError']>;
/** Returns a reconciler that always fails and records the arguments of `onError`. */
function failing(error: () => unknown, onError: (context: FailureContext) => Promise<Result | void> = async () => {}) {
  const reported: string[] = [];
  let runs = 0;
  const reconcile: Reconcile = async () => {
    runs++;
    throw error();
  };
  const hook: OnError = (_object, thrown, context) => {
    const { attempt, lastAttempt, terminal } = context;
    reported.push(`${String(thrown)} ${attempt}${lastAttempt ? ' last' : ''}${terminal ? ' terminal' : ''}`);
    return onError(context);
  };
  return { reported, reconciler: { reconcile, onError: hook }, runs: () => runs };
}

test('calls onError for each failure with the number of the attempt, and does not retry after the last attempt', async () => {
  const { reported, reconciler, runs } = failing(() => new Error('no'));
  const { machines, settle, advance, logger } = await setUp(reconciler, { maxAttempts: 3 });
  machines.put(machine('a'));
  await settle();
  for (let at = 0; at < 5; at++) await advance(3_600_000);
  assert.deepEqual(reported, ['Error: no 1', 'Error: no 2', 'Error: no 3 last']);
  assert.match(logger.lines.findLast(({ level }) => level === 'error')?.message ?? '', /waiting for a change/);
  machines.put(machine('a', { image: 'x' }));
  await settle();
  for (let at = 0; at < 5; at++) await advance(3_600_000);
  assert.equal(runs(), 6, 'after a change the attempts start again');
});

test('with `every`, requeues an object after this interval when all attempts have failed', async () => {
  const { reconciler, runs } = failing(() => new Error('no'));
  const { machines, settle, advance } = await setUp(reconciler, { maxAttempts: 1, every: '10m' });
  machines.put(machine('a'));
  await settle();
  await advance(599_999);
  assert.equal(runs(), 1);
  await advance(1);
  assert.equal(runs(), 2);
});

test('does not retry a terminal error, and does not count a conflict as a failure', async () => {
  let call = 0;
  const { reported, reconciler } = failing(() =>
    ++call === 1 ? refusal(409, 'Conflict') : new TerminalError('never'),
  );
  const { machines, settle, advance } = await setUp(reconciler);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  assert.equal(reported.length, 1);
  assert.match(reported[0] ?? '', /never 1 last terminal$/);
});

test('the result of onError replaces the default retry', async () => {
  const cases: readonly [Result, number | undefined][] = [
    [Result.requeueAfter('1m'), 60_000],
    [Result.done(), undefined],
    [Result.requeue(), 5],
  ];
  for (const [answer, delay] of cases) {
    const { reconciler } = failing(
      () => new Error('no'),
      async () => answer,
    );
    const { machines, settle, clock, runner } = await setUp(reconciler);
    machines.put(machine('a'));
    await settle();
    assert.deepEqual(clock.pendingMs, delay === undefined ? [] : [delay]);
    assert.equal(runner.stats().error, 1);
    await runner.stop();
  }
});

test('[RC-24] after an error, uses the priority from the result of onError', async () => {
  const order: string[] = [];
  let release = (): void => undefined;
  const reconcile: Reconcile = async ({ metadata: { name } }) => {
    if (name === 'busy') await new Promise<void>((resolve) => (release = resolve));
    order.push(name);
    if (name !== 'busy' && order.filter((each) => each === name).length === 1) throw new Error('no');
    return Result.done();
  };
  const onError: OnError = async ({ metadata }) =>
    metadata.name === 'urgent' ? Result.requeueAfter('5ms', { priority: 10 }) : Result.requeueAfter('5ms');
  const { machines, settle, advance } = await setUp({ reconcile, onError });
  machines.put(machine('plain'));
  machines.put(machine('urgent'));
  await settle();
  machines.put(machine('busy'));
  await settle();
  await advance(5);
  release();
  await settle();
  assert.deepEqual(order, ['plain', 'urgent', 'busy', 'urgent', 'plain']);
});

test('onError writes with the field manager of the controller, has its own signal after a timeout, and its writes do not trigger a reconcile', async () => {
  let aborted: boolean | undefined;
  const reconcile: Reconcile = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  let calls = 0;
  const onError: OnError = async (object, _error, { signal }) => {
    calls++;
    aborted = signal.aborted;
    assert.equal(currentScope()?.controller, 'machine');
    const labels = { failed: 'yes' };
    const mine = bench.machines.put({ ...object, metadata: { ...object.metadata, labels } });
    currentScope()?.onWrite?.({ verb: 'patch', object: mine }, { body: { metadata: { labels } } });
    return Result.done();
  };
  const bench = await setUp({ reconcile, onError }, { timeout: '1s' });
  bench.machines.put(machine('a'));
  await bench.settle();
  await bench.advance(1000);
  await bench.advance(3_600_000);
  assert.deepEqual([calls, aborted], [1, false]);
  assert.equal(bench.runner.stats().echoes, 1);
});

test('logs an error of onError and handles the original error', async () => {
  const { reconciler } = failing(
    () => new Error('the first'),
    async () => {
      throw new TypeError('of the hook');
    },
  );
  const { machines, settle, clock, logger, runner } = await setUp(reconciler);
  machines.put(machine('a'));
  await settle();
  assert.deepEqual(clock.pendingMs, [5]);
  assert.deepEqual(
    logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => String(fields.error)),
    ['TypeError: of the hook', 'Error: the first'],
  );
  assert.equal(runner.stats().error, 1);
});

test('a successful run sets observedGeneration, and a failed run does not change observedGeneration', async () => {
  let fail = false;
  const reconcile: Reconcile = async () => {
    if (fail) throw new TerminalError('never');
    return Result.done();
  };
  const { machines, settle } = await setUp(reconcile);
  const observed = (): unknown =>
    (machines.get({ namespace: 'default', name: 'a' }) as { status?: { observedGeneration?: number } }).status
      ?.observedGeneration;
  machines.put(machine('a', {}, { generation: 1 }));
  await settle();
  assert.equal(observed(), 1);
  fail = true;
  machines.put(machine('a', { image: 'x' }, { generation: 2 }));
  await settle();
  assert.equal(observed(), 1);
  fail = false;
  machines.put(machine('a', { image: 'y' }, { generation: 3 }));
  await settle();
  assert.equal(observed(), 3);
});
