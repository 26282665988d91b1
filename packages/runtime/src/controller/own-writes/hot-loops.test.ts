import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { currentScope } from '../../client/scope/reconcile-scope.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { counted, Disk, disk, type MachineObject, machine, setUp } from '../../test-support/controller-bench.js';
import { Result } from '../reconciler/result.js';
import { HotLoops } from './hot-loops.js';

type Bench = Awaited<ReturnType<typeof setUp>>;
const key = { namespace: 'default', name: 'a' };
const owns = { 'f:spec': { 'f:image': {} } };

/** Changes the image in the table, with the metadata changes that the server makes for a write of the manager. */
function write(bench: Bench, image: string, manager: string): void {
  const { metadata, ...rest } = bench.machines.get(key) as MachineObject;
  const generation = (metadata.generation ?? 0) + 1;
  const managedFields = [{ manager, fieldsV1: owns }];
  const { uid, name, namespace } = metadata;
  const before = { metadata, ...rest };
  const stamp = { creationTimestamp: '', resourceVersion: '' };
  const next: MachineObject = {
    ...rest,
    spec: { image },
    metadata: { uid, name, namespace, ...stamp, generation, managedFields } as KubeObject['metadata'],
  };
  const object = bench.machines.put(next);
  currentScope()?.onWrite?.({ verb: 'patch', object }, { body: { spec: { image } }, before });
}
/** Runs a controller and another writer that set different images. Each writer sets its image again after the other's write. */
async function fight(options: Parameters<typeof setUp>[1] = {}) {
  const { calls, run } = counted((_, object) => {
    if ((object as MachineObject).spec.image !== 'ours') write(bench, 'ours', 'machine');
    return Result.done();
  });
  const bench: Bench = await setUp(run, { reconcileCondition: false, ...options });
  let fighting = true;
  /** Runs the given number of rounds. In each round, the other writer writes when the controller is idle. */
  const goOn = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await bench.settle();
      if (fighting && (bench.machines.get(key) as MachineObject).spec.image === 'ours') write(bench, 'theirs', 'rival');
    }
    await bench.settle();
  };
  bench.machines.put(machine('a', { image: 'ours' }));
  await goOn(70);
  const later = async (ms: number): Promise<void> => {
    await bench.advance(ms);
    await goOn(1);
  };
  return { ...bench, calls, later, stop: () => (fighting = false) };
}

test('reports a conflict over a field once, with the field, the other manager and a remedy, and delays the reconciles', async () => {
  const { calls, later, logger, events, runner } = await fight();
  const before = calls.length;
  assert.ok(before >= 20 && before <= 30, `${before} runs until the loop is damped`);
  assert.deepEqual(events.recorded, [], 'the loop is reported after the other writer has written');
  await later(1000);
  assert.equal(calls.length, before + 1);
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  assert.deepEqual(
    warnings.map(({ message, fields }) => [message, fields.fields, fields.others]),
    [
      [
        "spec.image of Machine default/a is written repeatedly: 'rival' and 'machine' both write it; let one of them own it, and omit it from the requests of the other",
        ['spec.image'],
        ['rival'],
      ],
    ],
  );
  assert.equal(events.recorded.length, 1);
  assert.match(events.recorded[0] ?? '', /^Warning HotLoop: spec.image/);
  assert.equal(runner.stats().hotLoops, 1);
  for (const ms of [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
    const runs = calls.length;
    await later(ms - 1);
    assert.equal(calls.length, runs);
    await later(1);
    assert.equal(calls.length, runs + 1, `after ${ms} ms`);
  }
  assert.equal(runner.stats().hotLoops, 1, 'once');
});

test('a loop ends when the object is stable, and later changes are reconciled without delay', async () => {
  const { calls, later, stop, machines, logger, clock } = await fight();
  await later(1000);
  stop();
  await later(2000);
  await later(4000);
  machines.put({ ...(machines.get(key) as MachineObject), metadata: { ...machine('a').metadata, labels: { x: 'y' } } });
  await later(8000);
  assert.match(logger.lines.findLast(({ level }) => level === 'info')?.message ?? '', /no longer written repeatedly/);
  const runs = calls.length;
  machines.put({ ...(machines.get(key) as MachineObject), metadata: { ...machine('a').metadata, labels: { x: 'z' } } });
  await later(0);
  assert.equal(calls.length, runs + 1);
  assert.deepEqual(clock.pendingMs, []);
});

test('a loop does not delay reconciles that have other causes', async () => {
  const { calls, later, machines } = await fight();
  await later(1000);
  const runs = calls.length;
  const current = machines.get(key) as MachineObject;
  machines.put({ ...current, metadata: { ...current.metadata, labels: { mode: 'other' } } });
  await later(0);
  assert.ok(calls.length > runs);
});

test("hotLoops: 'warn' reports a loop without delaying reconciles, and hotLoops: false ignores a loop", async () => {
  for (const hotLoops of ['warn', false] as const) {
    const { calls, runner, stop, settle } = await fight({ hotLoops });
    assert.ok(calls.length > 60, `${calls.length} runs`);
    assert.equal(runner.stats().hotLoops, hotLoops === 'warn' ? 1 : 0);
    stop();
    await settle();
    await runner.stop();
  }
});

test('reports a value that the server does not store, even if the reconciler itself requests each run with requeueAfter()', async () => {
  const { calls, run } = counted((_, object) => {
    const body = { spec: { image: null } };
    currentScope()?.onWrite?.({ verb: 'patch', object }, { body, before: object });
    return Result.requeueAfter('1s');
  });
  const { machines, settle, advance, logger } = await setUp(run, { reconcileCondition: false });
  machines.put(machine('a', { image: 'the default' }));
  await settle();
  for (let at = 0; at < 25; at++) await advance(1000);
  assert.equal(calls.length, 23, 'the last reconciles are delayed');
  const [warning] = logger.lines.filter(({ level }) => level === 'warn');
  assert.match(
    warning?.message ?? '',
    /^spec.image of Machine default\/a .* the server does not keep what 'machine' writes/,
  );
});

test('reports a reconcile that triggers itself by writing the current time', async () => {
  const { run } = counted((call, { metadata }) => {
    const name = metadata.name;
    const before = disks.get({ namespace: 'default', name });
    const owner = { apiVersion: 'test.dev/v1', kind: 'Machine', name, controller: true, uid: metadata.uid };
    const made = disk(name, { uid: 'u', ownerReferences: [owner], annotations: { seen: `${call}` } });
    setImmediate(() => bench.disks.put(made));
    const object = { ...made, metadata: { ...made.metadata, resourceVersion: `${call + 1}` } };
    currentScope()?.onWrite?.({ verb: 'patch', object }, { body: made, before: before ?? disk(name, { uid: 'u' }) });
    return Result.done();
  });
  const bench: Bench = await setUp(run, { owns: [Disk], reconcileCondition: false });
  const { machines, disks, settle, advance, logger } = bench;
  machines.put(machine('a'));
  for (let at = 0; at < 30; at++) await settle();
  await advance(1000);
  const [warning] = logger.lines.filter(({ level }) => level === 'warn');
  assert.match(
    warning?.message ?? '',
    /^metadata.annotations.* of Disk default\/a .* triggers the next reconcile, .* no timestamps or counters$/,
  );
});

test('reports an object that is deleted and recreated because of server defaults', async () => {
  const { run } = counted((_, object) => {
    const made = disk('d');
    currentScope()?.onWrite?.({ verb: 'delete', object: made });
    currentScope()?.onWrite?.({ verb: 'create', object: made }, { body: { spec: {} } });
    return object.metadata.name === 'a' ? Result.requeueAfter('10ms') : Result.done();
  });
  const { machines, settle, advance, logger } = await setUp(run, { reconcileCondition: false });
  machines.put(machine('a'));
  await settle();
  for (let at = 0; at < 30; at++) await advance(10);
  await advance(1000);
  const [warning] = logger.lines.filter(({ level }) => level === 'warn');
  assert.match(warning?.message ?? '', /^Disk default\/d is created repeatedly: 'machine' deletes and recreates it/);
});

test('does not report a loop if each run has a different cause and writes a different value, or if a user reverts a change', async () => {
  let ready = 0;
  const { calls, run } = counted((_, object) => {
    const { image } = (object as MachineObject).spec;
    const status = { ready: ready++, image };
    const stored = bench.machines.put({ ...object, status } as KubeObject);
    currentScope()?.onWrite?.(
      { verb: 'patch', subresource: 'status', object: stored },
      { body: { status }, before: object },
    );
    return Result.done();
  });
  const bench = await setUp(run, { reconcileCondition: false, owns: [Disk] });
  const { machines, disks, settle, runner } = bench;
  const { uid } = machines.put(machine('a', {}, { generation: 1 })).metadata;
  await settle();
  const owner = { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'a', controller: true, uid };
  for (let at = 0; at < 40; at++) {
    disks.put(disk('d', { ownerReferences: [owner], labels: { at: `${at}` } }));
    await settle();
    const current = machines.get(key) as MachineObject;
    const metadata = { ...current.metadata, generation: at + 2 };
    machines.put({ ...current, spec: { image: `${at % 2}` }, metadata } as MachineObject);
    await settle();
  }
  assert.ok(calls.length >= 81);
  assert.equal(runner.stats().hotLoops, 0);
});

test('tracks only the latest objects that a reconcile deletes', () => {
  for (const [others, kind] of [
    [0, 'remade'],
    [40, 'undone'],
  ] as const) {
    const loops = new HotLoops(new ManualClock(), { damps: true, kindName: 'Machine' });
    for (const name of ['x', ...Array.from({ length: others }, (_, at) => `other-${at}`)])
      loops.wrote('default/a', { verb: 'delete', object: disk(name) }, undefined);
    const kinds = Array.from({ length: 25 }, () => {
      loops.wrote('default/a', { verb: 'create', object: disk('x') }, { body: disk('x'), before: undefined });
      const run = { id: 'default/a', context: { causes: [] } } as never;
      return loops.ended(run, { object: undefined, well: true, againMs: undefined }).began?.kind;
    });
    assert.deepEqual(new Set(kinds), new Set([undefined, kind]));
  }
});
