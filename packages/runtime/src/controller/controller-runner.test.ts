import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { TerminalError } from '@kubewright/api/errors';
import { currentScope } from '../client/scope/reconcile-scope.js';
import {
  counted,
  Disk,
  disk,
  done,
  type MachineObject,
  machine,
  type Reconcile,
  setUp,
} from '../test-support/controller-bench.js';
import { refusal } from '../test-support/object-table.js';
import type { Reconciler } from './reconciler/reconciler.js';
import { Result } from './reconciler/result.js';
import { references, watch } from './watches/watch-declaration.js';

test('[RC-01] reconciles a queued key exactly once, with its object', async () => {
  const { calls, run } = counted(done);
  const { machines, settle, runner } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  assert.deepEqual(calls, ['a']);
  assert.deepEqual(runner.pending(), []);
});

test('[RC-02] with failFast, an error of the reconciler stops the manager', async () => {
  const { run } = counted(() => {
    throw new Error('broken');
  });
  const { machines, settle, fatal } = await setUp(run, { failFast: true });
  machines.put(machine('a'));
  await settle();
  assert.match(String(fatal[0]), /broken/);
});

test('[RC-03] [RC-04] retries a key after the reconciler throws or rejects', async () => {
  let calls = 0;
  const reconcile = (() => {
    calls++;
    if (calls === 1) throw new TypeError('at once');
    return calls === 2 ? Promise.reject(new Error('later')) : Promise.resolve(Result.done());
  }) as Reconcile;
  const { machines, settle, advance, runner, fatal } = await setUp(reconcile);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  await advance(10);
  assert.equal(calls, 3);
  assert.deepEqual([runner.stats().error, runner.stats().success, fatal.length], [2, 1, 0]);
});

test('a reconcile that returns no result fails with an explanation, and other keys are still reconciled', async () => {
  const { calls, run } = counted((_, object) => (object.metadata.name === 'a' ? (undefined as never) : Result.done()));
  const { machines, settle, logger } = await setUp(run);
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
  const error = logger.lines.find(({ level }) => level === 'error');
  assert.match(String(error?.fields.error), /returned nothing: return Result.done\(\)/);
});

test('[RC-05] [RC-07] aborts the signal of a run that exceeds its timeout, with DEADLINE_EXCEEDED', async () => {
  const { run } = counted(
    (_, __, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const { machines, settle, advance, runner, logger } = await setUp(run, { timeout: '1s' });
  machines.put(machine('a'));
  await settle();
  await advance(999);
  assert.equal(runner.stats().timeouts, 0);
  await advance(1);
  assert.equal(runner.stats().timeouts, 1);
  assert.match(String(logger.lines.find(({ level }) => level === 'error')?.fields.error), /deadline exceeded/);
});

test('[RC-06] [RC-12] a run without a timeout has no deadline', async () => {
  let signal: AbortSignal | undefined;
  const { run } = counted((_, __, context) => {
    signal = context.signal;
    return new Promise(() => undefined);
  });
  const { machines, settle, advance, runner } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(86_400_000);
  assert.equal(signal?.aborted, false);
  assert.equal(runner.stats().timeouts, 0);
});

test('[RC-08] [RC-09] does not count a run that ends in time as a timeout, even if the run aborts its own work', async () => {
  const { run } = counted((call) => {
    if (call === 1) throw new DOMException('own abort', 'AbortError');
    return Result.done();
  });
  const { machines, settle, advance, runner } = await setUp(run, { timeout: '1s' });
  machines.put(machine('a'));
  await settle();
  await advance(5000);
  assert.deepEqual([runner.stats().timeouts, runner.stats().runs], [0, 2]);
});

test('[RC-10] counts every run that times out', async () => {
  const { run } = counted(
    (_, __, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const { machines, settle, advance, runner } = await setUp(run, { timeout: '1s' });
  machines.put(machine('a'));
  await settle();
  for (let at = 0; at < 3; at++) {
    await advance(1000);
    await advance(100);
  }
  assert.equal(runner.stats().timeouts, 3);
});

test('[RC-11] does not count a run as a timeout if the operator stops during the run', async () => {
  const { run } = counted(
    (_, __, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const { machines, settle, runner, logger } = await setUp(run, { timeout: '1s' });
  machines.put(machine('a'));
  await settle();
  await runner.stop();
  assert.equal(runner.stats().timeouts, 0);
  assert.deepEqual(
    logger.lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('[RC-13] retries a failed key with back-off, and reconciles other keys in the meantime', async () => {
  const { calls, run } = counted((call, object) => {
    if (object.metadata.name === 'a' && call < 3) throw new Error('not yet');
    return Result.done();
  });
  const { machines, settle, advance } = await setUp(run);
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
  await advance(4);
  assert.equal(calls.length, 2);
  await advance(1);
  assert.deepEqual(calls, ['a', 'b', 'a']);
  await advance(9);
  assert.equal(calls.length, 3);
  await advance(1);
  assert.deepEqual(calls, ['a', 'b', 'a', 'a']);
});

test('[RC-14] does not retry a key after a TerminalError anywhere in the chain of causes, until the object changes', async () => {
  const { calls, run } = counted((call) => {
    if (call === 1) throw new Error('outer', { cause: new TerminalError('never', { reason: 'BadImage' }) });
    return Result.done();
  });
  const { machines, settle, advance, runner, events, written } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(10_000_000);
  assert.deepEqual(calls, ['a']);
  assert.equal(runner.stats().terminal, 1);
  assert.deepEqual(events.recorded, ['Warning BadImage: outer']);
  assert.deepEqual(
    written.map(({ type, status, reason }) => [type, status, reason]),
    [['Reconciled', 'False', 'BadImage']],
  );
  machines.put(machine('a', { image: 'other' }));
  await settle();
  assert.deepEqual(calls, ['a', 'a']);
});

test('[RC-15] increases the back-off until a run without an error resets it', async () => {
  const attempts: number[] = [];
  const { run } = counted((call, _, { attempt }) => {
    attempts.push(attempt);
    if (call <= 3 || call === 5) throw new Error('no');
    return Result.done();
  });
  const { machines, settle, advance, clock } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  assert.deepEqual(clock.pendingMs, [5]);
  await advance(5);
  assert.deepEqual(clock.pendingMs, [10]);
  await advance(10);
  assert.deepEqual(clock.pendingMs, [20]);
  await advance(20);
  assert.deepEqual(clock.pendingMs, []);
  machines.put(machine('a', { image: 'x' }));
  await settle();
  assert.deepEqual(clock.pendingMs, [5]);
  await advance(5);
  assert.deepEqual(attempts, [1, 2, 3, 4, 1, 2]);
});

test('[RC-16] Result.requeue() retries with increasing back-off and is not an error', async () => {
  const { calls, run } = counted((call, object) =>
    object.metadata.name === 'a' && call < 3 ? Result.requeue() : Result.done(),
  );
  const { machines, settle, advance, runner } = await setUp(run);
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  await advance(5);
  await advance(10);
  assert.deepEqual(calls, ['a', 'b', 'a', 'a']);
  assert.deepEqual([runner.stats().error, runner.stats().requeue], [0, 2]);
});

test('[RC-17] [RC-20] [RC-23] a requeued key keeps its priority', async () => {
  for (const outcome of [
    () => Result.requeue(),
    () => Result.requeueAfter('5ms'),
    () => {
      throw new Error('failed');
    },
  ]) {
    const order: string[] = [];
    const { run } = counted((call, object) => {
      order.push(object.metadata.name);
      return object.metadata.name === 'first-list' && call === 1 ? outcome() : Result.done();
    });
    const { machines, settle, advance, runner } = await setUp(run);
    machines.put(machine('first-list'));
    await settle();
    await advance(5);
    assert.deepEqual(order, ['first-list', 'first-list']);
    await runner.stop();
  }
});

test('[RC-19] Result.requeueAfter() requeues after the given delay, without back-off', async () => {
  const { calls, run } = counted((call) => (call <= 2 ? Result.requeueAfter('15s') : Result.done()));
  const { machines, settle, advance, runner } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(14_999);
  assert.equal(calls.length, 1);
  await advance(1);
  assert.equal(calls.length, 2);
  await advance(15_000);
  assert.equal(calls.length, 3);
  assert.equal(runner.stats().requeueAfter, 2);
});

test('[RC-22] an error cancels the requeue of an earlier result', async () => {
  const { calls, run } = counted((call) => {
    if (call === 2) throw new Error('failed');
    return call === 1 ? Result.requeueAfter('1h') : Result.done();
  });
  const { machines, settle, advance, clock } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  machines.put(machine('a', { image: 'x' }));
  await settle();
  assert.deepEqual(clock.pendingMs, [5]);
  await advance(5);
  assert.equal(calls.length, 3);
  assert.deepEqual(clock.pendingMs, []);
});

test('[RC-25] [RC-26] [RC-27] [RC-28] [RC-29] [RC-30] counts runs by result and measures their duration', async () => {
  const { run } = counted((call) => {
    if (call === 1) throw new Error('failed');
    return [Result.requeue(), Result.requeueAfter('1s'), Result.done()][call - 2] ?? Result.done();
  });
  const { machines, settle, advance, runner } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  for (const ms of [5, 10, 1000]) await advance(ms);
  const { error, requeue, requeueAfter, success, runs } = runner.stats();
  assert.deepEqual(
    { error, requeue, requeueAfter, success, runs },
    { error: 1, requeue: 1, requeueAfter: 1, success: 1, runs: 4 },
  );
  assert.equal(runner.stats().queue.workMs.count, 4);
});

test('[RC-31] [RC-32] adds the id of a reconcile to its log lines and to no other log lines', async () => {
  const { run } = counted((_, __, { log }) => {
    log.info('inside');
    return Result.done();
  });
  const { machines, settle, logger } = await setUp(run);
  logger.info('outside');
  machines.put(machine('a', { image: 'x' }));
  await settle();
  machines.put(machine('a', { image: 'y' }));
  await settle();
  const [first, second] = logger.lines.filter(({ message }) => message === 'inside').map(({ fields }) => fields);
  assert.equal(first?.controller, 'machine');
  assert.equal(first?.object, 'Machine default/a');
  assert.deepEqual([first?.causes, second?.causes], [['added'], ['modified spec.image']]);
  assert.ok(first?.reconcileId !== undefined && first.reconcileId !== second?.reconcileId);
  assert.equal(logger.lines.find(({ message }) => message === 'outside')?.fields.reconcileId, undefined);
});

test('retries a conflict without a warning and counts conflicts separately', async () => {
  const { calls, run } = counted((call) => {
    if (call === 1) throw refusal(409, 'Conflict');
    return Result.done();
  });
  const { machines, settle, advance, runner, logger } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  assert.equal(calls.length, 2);
  assert.deepEqual([runner.stats().conflict, runner.stats().error], [1, 0]);
  assert.deepEqual(
    logger.lines.filter(({ level }) => level === 'error' || level === 'warn'),
    [],
  );
});

test('reports the third consecutive error with a condition and an event, and a later success with the condition', async () => {
  const { run } = counted((call) => {
    if (call <= 3) throw new Error('no disk');
    return Result.done();
  });
  const { machines, settle, advance, events, written } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(5);
  assert.deepEqual([events.recorded, written], [[], []]);
  await advance(10);
  assert.deepEqual(events.recorded, ['Warning ReconcileFailed: no disk']);
  await advance(20);
  assert.deepEqual(
    written.map(({ status }) => status),
    ['False', 'True'],
  );
});

test('a reconcile that does not end releases its worker 5 s after its timeout, and its object is not reconciled again', async () => {
  const { calls, run } = counted((_, object) =>
    object.metadata.name === 'a' ? new Promise<never>(() => undefined) : Result.done(),
  );
  const { machines, settle, advance } = await setUp(run, { timeout: '1s' });
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['a']);
  await advance(1000);
  await advance(5000);
  assert.deepEqual(calls, ['a', 'b']);
  machines.put(machine('a', { image: 'x' }));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
});

test('reconciles at most `concurrency` objects at a time, and never the same object twice at a time', async () => {
  const release: (() => void)[] = [];
  const { calls, run } = counted(() => new Promise((resolve) => release.push(() => resolve(Result.done()))));
  const { machines, settle } = await setUp(run, { concurrency: 2 });
  for (const name of ['a', 'b', 'c']) machines.put(machine(name));
  await settle();
  machines.put(machine('a', { image: 'x' }));
  await settle();
  assert.deepEqual(calls, ['a', 'b']);
  release.shift()?.();
  await settle();
  assert.deepEqual(calls, ['a', 'b', 'c']);
});

test('adds the finalizer before the first reconcile and removes it after finalize returns done()', async () => {
  const seen: string[] = [];
  const reconciler: Reconciler<KubeObject> = {
    reconcile: async (object) => {
      seen.push(`reconcile with ${object.metadata.finalizers?.join()}`);
      return Result.done();
    },
    finalize: async (_, { attempt }) => {
      seen.push('finalize');
      return attempt === 1 && seen.length < 3 ? Result.requeueAfter('1s') : Result.done();
    },
  };
  const { machines, settle, advance } = await setUp(reconciler);
  machines.put(machine('a'));
  await settle();
  assert.deepEqual(seen, ['reconcile with test.dev/machine'], 'the finalizer triggers no other reconcile');
  const { metadata, ...rest } = machines.get({ namespace: 'default', name: 'a' }) ?? machine('a');
  machines.put({ ...rest, metadata: { ...metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } });
  await settle();
  assert.deepEqual(seen.slice(1), ['finalize']);
  await advance(1000);
  assert.deepEqual(seen.slice(1), ['finalize', 'finalize']);
  assert.equal(machines.get({ namespace: 'default', name: 'a' }), undefined);
});

test('neither reconciles nor finalizes an object that is being deleted and does not have the finalizer of the controller', async () => {
  const { calls, run } = counted(done);
  const { machines, settle } = await setUp({ reconcile: run, finalize: run });
  machines.put(machine('a', {}, { deletionTimestamp: '2030-01-01T00:00:00Z', finalizers: ['other.dev/x'] }));
  await settle();
  assert.deepEqual(calls, []);
});

test('a write of the reconcile does not trigger another reconcile, and a concurrent write of another client does', async () => {
  const { calls, run } = counted((call, object) => {
    if (call > 1) return Result.done();
    const mine = machines.put({ ...object, metadata: { ...object.metadata, labels: { mine: 'yes' } } });
    currentScope()?.onWrite?.({ verb: 'patch', object: mine }, { body: { metadata: { labels: { mine: 'yes' } } } });
    return Result.done();
  });
  const { machines, settle } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  assert.equal(calls.length, 1);
  const current = machines.get({ namespace: 'default', name: 'a' }) ?? machine('a');
  machines.put({ ...current, metadata: { ...current.metadata, labels: { theirs: 'yes' } } });
  await settle();
  assert.equal(calls.length, 2);
});

test('a write of the reconcile that arrives in a list triggers a reconcile, because the list can contain other writes', async () => {
  const { calls, run } = counted((call, object) => {
    if (call > 1) return Result.done();
    const mine = { ...object, metadata: { ...object.metadata, resourceVersion: '2' } };
    currentScope()?.onWrite?.({ verb: 'patch', object: mine }, { body: { spec: { image: 'of-another-writer' } } });
    return Result.done();
  });
  const { machines, settle } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  machines.lists++;
  machines.put(machine('a', { image: 'of-another-writer' }));
  await settle();
  assert.equal(calls.length, 2);
});

test('a change of only the status does not trigger a reconcile by default', async () => {
  const { calls, run } = counted(done);
  const { machines, settle } = await setUp(run);
  const stored = machines.put(machine('a'));
  await settle();
  machines.put({ ...stored, status: { phase: 'Ready' } } as KubeObject);
  await settle();
  assert.equal(calls.length, 1);
});

test('a change of a child triggers a reconcile of the owner that the controller reference names', async () => {
  const causes: string[] = [];
  const { calls, run } = counted((_, __, context) => {
    causes.push(...context.causes.map(({ kind, source }) => `${kind} ${source ?? ''}`));
    return Result.done();
  });
  const { machines, disks, settle } = await setUp(run, { owns: [Disk] });
  const { metadata } = machines.put(machine('a'));
  await settle();
  const owner = { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true };
  disks.put(disk('a-disk', { ownerReferences: [{ ...owner, uid: metadata.uid }] }));
  disks.put(disk('of-an-older-a', { ownerReferences: [{ ...owner, uid: 'older' }] }));
  disks.put(disk('nobodys'));
  await settle();
  assert.equal(calls.length, 2);
  assert.equal(causes[1], 'owned Disk default/a-disk added');
});

test('a change of a referenced object triggers reconciles of the objects that reference it', async () => {
  const { calls, run } = counted(done);
  const names = references<MachineObject, KubeObject>(Disk, ({ spec }) => spec.disk);
  const { machines, disks, settle } = await setUp(run, { watches: [names as never] });
  machines.put(machine('a', { disk: 'shared' }));
  machines.put(machine('b', { disk: '' }));
  machines.put(machine('c', { disk: 'shared' }));
  await settle();
  calls.length = 0;
  disks.put(disk('shared'));
  await settle();
  assert.deepEqual(calls, ['a', 'c']);
});

test('calls `map` with the old and the new object of a change, and an error in `map` does not affect other objects', async () => {
  const { calls, run } = counted(done);
  const mapped = watch<KubeObject>(Disk, {
    map: ({ metadata }) => {
      if (metadata.labels?.machine === undefined) throw new Error('no machine');
      return [{ namespace: 'default', name: metadata.labels.machine }];
    },
  });
  const { machines, disks, settle, logger } = await setUp(run, { watches: [mapped] });
  machines.put(machine('a'));
  machines.put(machine('b'));
  await settle();
  calls.length = 0;
  disks.put(disk('d', { labels: { machine: 'a' } }));
  await settle();
  disks.put(disk('d', { labels: { machine: 'b' } }));
  await settle();
  assert.deepEqual(calls, ['a', 'a', 'b']);
  disks.put(disk('broken'));
  await settle();
  assert.match(String(logger.lines.find(({ level }) => level === 'error')?.fields.error), /no machine/);
});

test('`every` requeues an object after done() and after a terminal error', async () => {
  const { calls, run } = counted((call) => {
    if (call === 2) throw new TerminalError('never');
    return Result.done();
  });
  const { machines, settle, advance } = await setUp(run, { every: '10m' });
  machines.put(machine('a'));
  await settle();
  await advance(600_000);
  await advance(600_000);
  assert.equal(calls.length, 3);
});

test('requeueAt uses the clock of the manager, and requeues immediately for a time in the past', async () => {
  const { calls, run } = counted((call) =>
    call === 1
      ? Result.requeueAt(new Date('2030-01-01T01:00:00Z'))
      : call === 2
        ? Result.requeueAt(new Date(0))
        : Result.done(),
  );
  const { machines, settle, advance } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  await advance(3_599_999);
  assert.equal(calls.length, 1);
  await advance(1);
  assert.equal(calls.length, 3);
});

test('releases the state of a deleted object', async () => {
  const { calls, run } = counted(() => Result.requeueAfter('1h'));
  const { machines, settle, advance, clock } = await setUp(run);
  machines.put(machine('a'));
  await settle();
  machines.remove({ namespace: 'default', name: 'a' });
  await settle();
  await advance(3_600_000);
  assert.equal(calls.length, 1);
  assert.deepEqual(clock.pendingMs, []);
});
