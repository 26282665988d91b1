import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import fc from 'fast-check';
import { currentScope } from '../../client/scope/reconcile-scope.js';
import type { Write } from '../../client/scope/write.js';
import { counted, Disk, disk, done, machine, setUp } from '../../test-support/controller-bench.js';

type Bench = Awaited<ReturnType<typeof setUp>>;

/** Simulates the write of a child by a reconcile, including the response of the server. */
function write(bench: Bench, owner: KubeObject, verb: Write['verb'], label: string): void {
  const { name, uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'test.dev/v1', kind: 'Machine', name, controller: true, uid }];
  const child = disk('d', { ownerReferences, labels: { mine: label } });
  const object = bench.disks.put(child);
  currentScope()?.onWrite?.({ verb, object }, { body: { metadata: { ownerReferences, labels: { mine: label } } } });
}
async function applying(verb: Write['verb']) {
  const { calls, run } = counted((call, object) => {
    if (call === 1) write(bench, object, verb, 'a');
    return done();
  });
  const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false });
  bench.machines.put(machine('a'));
  await bench.settle();
  return { ...bench, calls };
}
const key = { namespace: 'default', name: 'd' };

test('a reconcile that applies a child does not trigger another reconcile', async () => {
  const { calls, runner } = await applying('apply');
  assert.deepEqual([calls.length, runner.stats().echoes], [1, 1]);
});

test('a reconcile that creates, patches or updates a child triggers another reconcile', async () => {
  for (const verb of ['create', 'patch', 'update'] as const) {
    const { calls, runner } = await applying(verb);
    assert.equal(calls.length, 2, verb);
    await runner.stop();
  }
});

test('a write or a deletion of a child by another client triggers a reconcile of its owner', async () => {
  const { calls, disks, settle } = await applying('apply');
  const child = disks.get(key) as KubeObject;
  disks.put({ ...child, status: { ready: true } } as KubeObject);
  await settle();
  assert.equal(calls.length, 2);
  disks.remove(key);
  await settle();
  assert.equal(calls.length, 3);
});

test('an apply that changes nothing does not hide the write of another client', async () => {
  const { calls, run } = counted((call, owner) => {
    if (call !== 1) return done();
    const ownerReferences = [
      { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true, uid: owner.metadata.uid },
    ];
    const body = { metadata: { ownerReferences } };
    const made = disk('d', { ownerReferences });
    bench.disks.put(made);
    const theirs = bench.disks.put({ ...made, status: { ready: true } } as KubeObject);
    currentScope()?.onWrite?.({ verb: 'apply', object: theirs }, { body });
    return done();
  });
  const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false });
  bench.machines.put(machine('a'));
  await bench.settle();
  assert.equal(calls.length, 2);
});

test('triggers a reconcile of the previous owner when another object adopts a child', async () => {
  const { calls, run } = counted((call, object) => {
    if (object.metadata.name === 'b' && call === 1) write(bench, object, 'apply', 'of b');
    return done();
  });
  const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false });
  const { machines, disks, settle } = bench;
  const { uid } = machines.put(machine('a')).metadata;
  const ownerReferences = [{ apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true, uid }];
  disks.put(disk('d', { ownerReferences }));
  await settle();
  calls.length = 0;
  machines.put(machine('b'));
  await settle();
  assert.deepEqual(calls, ['b', 'a']);
});

test('property: the last reconcile reads the last writes of other clients, for any order of steps', async () => {
  const step = fc.constantFrom('ours', 'theirs', 'both', 'child', 'relist');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      let seen = '';
      const state = (): string =>
        JSON.stringify([
          bench.disks.get(key)?.metadata.annotations,
          bench.machines.get({ ...key, name: 'a' })?.metadata.annotations,
        ]);
      let act: (owner: KubeObject) => void = () => undefined;
      const { run } = counted((_, object) => {
        seen = state();
        const once = act;
        act = () => undefined;
        once(object);
        return done();
      });
      const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false });
      const { machines, disks, settle, runner } = bench;
      machines.put(machine('a'));
      await settle();
      let at = 0;
      const theirs = (table: typeof disks, name: string): void => {
        const current = table.get({ namespace: 'default', name });
        if (current === undefined) return;
        table.put({ ...current, metadata: { ...current.metadata, annotations: { theirs: `${++at}` } } });
      };
      for (const each of steps) {
        if (each === 'relist') disks.lists++;
        else if (each === 'theirs') theirs(machines, 'a');
        else if (each === 'child') theirs(disks, 'd');
        else {
          act = (owner) => {
            write(bench, owner, 'apply', `${++at}`);
            if (each === 'both') theirs(disks, 'd');
          };
          runner.enqueue({ namespace: 'default', name: 'a' });
        }
        await settle();
      }
      assert.equal(seen, state());
      await runner.stop();
    }),
    { numRuns: 60 },
  );
});
