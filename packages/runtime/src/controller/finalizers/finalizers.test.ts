import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError, TerminalError } from '@kubewright/api/errors';
import { machine, setUp } from '../../test-support/controller-bench.js';
import { refusal } from '../../test-support/object-table.js';
import type { Reconciler } from '../reconciler/reconciler.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import { Result } from '../reconciler/result.js';
import { finalizerRemoval } from './finalizer-patches.js';
import { finalizerSteps, runFinalizers } from './finalizer-steps.js';
import { type FinalizerHandler, Finalizers } from '../reconciler/finalizers.js';

const disks = 'test.dev/disks';
const address = 'test.dev/address';
const deletionTimestamp = '2030-01-01T00:00:00Z';
const controller = { name: 'machine', finalizer: 'test.dev/machine' };
const reconcile = async (): Promise<Result> => Result.done();
const done: FinalizerHandler<KubeObject> = reconcile;
const fails =
  (error: unknown): FinalizerHandler<KubeObject> =>
  async () => {
    throw error;
  };

function bothOf(first: FinalizerHandler<KubeObject>, second: FinalizerHandler<KubeObject>): Reconciler<KubeObject> {
  return { reconcile, finalizers: new Finalizers().add(disks, first).add(address, second) };
}
/** Runs the finalizer steps of a reconciler on an object that has all finalizers. */
function ran(reconciler: Reconciler<KubeObject>, signal = new AbortController().signal) {
  const steps = finalizerSteps(reconciler, controller);
  const object = machine('a', {}, { deletionTimestamp, finalizers: steps.map(({ name }) => name) });
  return runFinalizers(steps, { object, context: { signal } as ReconcileContext, now: new Date(0) });
}
function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KubewrightError && error.code === code;
}

test('[CU-36] rejects a duplicate or invalid finalizer name', () => {
  const finalizers = new Finalizers().add(disks, done);
  assert.throws(() => finalizers.add(disks, done), hasCode('DUPLICATE_FINALIZER'));
  assert.throws(() => finalizers.add('disks', done), hasCode('INVALID_FINALIZER'));
  assert.throws(() => finalizers.add('Test Dev/disks', done), hasCode('INVALID_FINALIZER'));
  const own = { reconcile, finalize: reconcile, finalizers: new Finalizers().add(controller.finalizer, done) };
  assert.throws(() => finalizerSteps(own, controller), hasCode('DUPLICATE_FINALIZER'));
});

test('[CU-37, CU-39] adds all missing finalizers in one write before the first reconcile, and sends no write if all are present', async () => {
  const seen: unknown[] = [];
  const { machines, settle } = await setUp({
    ...bothOf(done, done),
    reconcile: async ({ metadata }) => {
      seen.push([metadata.finalizers, metadata.resourceVersion]);
      return Result.done();
    },
  });
  machines.put(machine('a'));
  await settle();
  assert.deepEqual(seen, [[[disks, address], '2']]);
  const { metadata } = machines.put(machine('b', {}, { finalizers: [address, 'other.dev/x', disks] }));
  await settle();
  assert.deepEqual(seen[1], [[address, 'other.dev/x', disks], metadata.resourceVersion]);
});

test('[CU-38, CU-40] runs the handlers in order, with finalize last, when an object is being deleted, and removes the finalizers', async () => {
  const seen: string[] = [];
  const note = (what: string) => async (): Promise<Result> => {
    seen.push(what);
    return Result.done();
  };
  const { machines, settle } = await setUp({
    ...bothOf(note('disks'), note('address')),
    reconcile: note('reconcile'),
    finalize: note('finalize'),
  });
  const { metadata } = machines.put(
    machine('a', {}, { deletionTimestamp, finalizers: [address, 'other.dev/x', controller.finalizer, disks] }),
  );
  await settle();
  assert.deepEqual(seen, ['disks', 'address', 'finalize']);
  assert.deepEqual(machines.get(metadata)?.metadata.finalizers, ['other.dev/x']);
});

test('[CU-39] ignores an object that is being deleted and has no finalizer of the controller', async () => {
  const { machines, settle, runner } = await setUp(bothOf(fails('not to be called'), fails('not to be called')));
  const { metadata } = machines.put(machine('a', {}, { deletionTimestamp, finalizers: ['other.dev/x'] }));
  await settle();
  assert.equal(machines.get(metadata)?.metadata.resourceVersion, metadata.resourceVersion);
  assert.equal(runner.stats().error, 0);
});

test('[CU-41] keeps the finalizer of a failed handler, removes the others, and calls only the failed handler again', async () => {
  const seen: string[] = [];
  const handler =
    (what: string, error?: Error): FinalizerHandler<KubeObject> =>
    async () => {
      seen.push(what);
      if (error !== undefined && seen.length < 3) throw error;
      return Result.done();
    };
  const { machines, settle, advance, runner } = await setUp(
    bothOf(handler('disks', new Error('busy')), handler('address')),
  );
  const { metadata } = machines.put(machine('a', {}, { deletionTimestamp, finalizers: [disks, address] }));
  await settle();
  assert.deepEqual(machines.get(metadata)?.metadata.finalizers, [disks]);
  assert.equal(runner.stats().error, 1);
  await advance(5);
  assert.equal(machines.get(metadata), undefined);
  assert.deepEqual(seen, ['disks', 'address', 'disks']);
});

test('[CU-42] combines the errors of several handlers into one error that names the finalizers, and the causes determine the retry', async () => {
  const busy = new Error('busy');
  const { done: over, failure } = await ran(bothOf(fails(new TerminalError('never')), fails(busy)));
  assert.deepEqual(over, []);
  const { error } = failure ?? assert.fail();
  assert.ok(error instanceof KubewrightError && error.code === 'FINALIZERS_FAILED');
  assert.match(error.message, /test\.dev\/disks: never; test\.dev\/address: busy/);
  assert.ok(error.cause instanceof AggregateError);
  assert.deepEqual([error.cause.errors.length, error.cause.cause], [2, busy]);
  const { runner, machines, settle } = await setUp(
    bothOf(fails(refusal(409, 'Conflict')), fails(refusal(409, 'Conflict'))),
  );
  machines.put(machine('a', {}, { deletionTimestamp, finalizers: [disks, address] }));
  await settle();
  assert.deepEqual([runner.stats().error, runner.stats().conflict], [0, 1]);
});

test('[CU-42] requeues at the earliest time requested by any handler', async () => {
  const returning = (result: Result) => async (): Promise<Result> => result;
  const later = Result.requeueAfter('1m');
  const sooner = Result.requeueAt(new Date(10_000));
  const rows = [
    [Result.done(), Result.done(), Result.done()],
    [Result.done(), later, later],
    [later, sooner, sooner],
    [sooner, Result.requeue(), Result.requeue()],
  ] as const;
  for (const [first, second, expected] of rows) {
    const { result } = await ran(bothOf(returning(first), returning(second)));
    assert.equal(result, expected);
  }
});

test('a handler that returns no result fails with an error that names its finalizer', async () => {
  const { failure } = await ran(bothOf(async () => undefined as never, done));
  assert.match(String(failure?.error), /finalizer 'test\.dev\/disks' of controller 'machine' returned nothing/);
});

test('calls no further handler after the run is aborted', async () => {
  const aborting = new AbortController();
  const first: FinalizerHandler<KubeObject> = async () => {
    aborting.abort(new Error('over'));
    throw new Error('given up');
  };
  const { failure } = await ran(bothOf(first, fails('not to be called')), aborting.signal);
  assert.match(String(failure?.error), /given up/);
});

test('removes all entries of a finalizer that is listed twice', () => {
  const object = machine('a', {}, { finalizers: [disks, address, disks] });
  const removed = finalizerRemoval(object, [disks]).filter(({ op }) => op === 'remove');
  assert.deepEqual(
    removed.map(({ path }) => path),
    ['/metadata/finalizers/2', '/metadata/finalizers/0'],
  );
});
