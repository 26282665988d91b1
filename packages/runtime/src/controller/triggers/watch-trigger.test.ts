import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindRef, KubeObject, OwnerReference } from '@kubewright/api';
import { Disk, disk, type MachineObject, Machine, machine, settle } from '../../test-support/controller-bench.js';
import { WatchBench, type WatchBenchOptions } from '../../test-support/watch-bench.js';
import type { ControllerOptions } from '../options/controller-options.js';
import { resolveControllerOptions } from '../options/resolved-options.js';
import { changed } from '../watches/predicates.js';
import type { ReconcileKey } from '../watches/reconcile-key.js';
import { owned, references, watch } from '../watches/watch-declaration.js';

const machines = ['a', 'b', 'c'].map((name) => machine(name));
const key = (name: string, more: Partial<ReconcileKey> = {}): ReconcileKey => ({ namespace: 'default', name, ...more });
/** Returns the machines that the label 'for' of a disk lists, separated by dots. */
const named = ({ metadata }: KubeObject): readonly ReconcileKey[] =>
  (metadata.labels?.['for'] ?? '')
    .split('.')
    .filter(Boolean)
    .map((name) => key(name));
function diskFor(...names: string[]): KubeObject {
  return disk('d', { labels: { for: names.join('.') } });
}
function ownedDisk(...owners: OwnerReference[]): KubeObject {
  return disk('d', { ownerReferences: owners });
}
function owner(name: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'test.dev/v1', kind: 'Machine', name, uid: `uid-default/${name}`, controller: true, ...more };
}
/** Runs a controller. Returns when the controller is idle. */
async function idle(
  options: Partial<ControllerOptions<KubeObject>>,
  given: WatchBenchOptions = {},
): Promise<WatchBench> {
  const bench = await WatchBench.open(options, { machines, ...given });
  await bench.start();
  await bench.reconciled();
  bench.causes.length = 0;
  return bench;
}

test('[HD-01, HD-02, HD-03, HD-04] every change of an object and a request of the program queue the key of the object', async () => {
  const bench = await WatchBench.open({});
  const pending = (): readonly string[] => bench.runner.pending();
  await bench.sync();
  const a = bench.machines.put(machine('a'));
  assert.deepEqual(pending(), ['reconcile machine default/a']);
  bench.machines.put({ ...a, spec: { image: 'x' } } as never);
  assert.equal(bench.runner.stats().queue.adds, 1, 'one key for the old and the new object');
  bench.machines.remove(key('a'));
  assert.deepEqual(pending(), ['reconcile machine default/a']);
  bench.runner.enqueue(key('b'));
  assert.deepEqual(pending(), ['reconcile machine default/a', 'reconcile machine default/b']);
});

test('[HD-02] the deletion of an object queues its key', async () => {
  const bench = await WatchBench.open({});
  bench.machines.emit({ type: 'deleted', object: machine('a'), stale: false });
  assert.deepEqual(bench.runner.pending(), ['reconcile machine default/a']);
});

test('[HD-05, HD-23] ignores and logs a change without an object, for every type of watch', async () => {
  for (const options of [{}, { owns: [Disk] }, { watches: [watch<KubeObject>(Disk, { map: named })] }]) {
    const bench = await WatchBench.open(options);
    for (const type of ['added', 'modified', 'deleted']) {
      for (const table of [bench.machines, bench.disks])
        table.emit({ type, object: undefined, old: undefined } as never);
    }
    assert.throws(() => bench.runner.enqueue(undefined as never), { code: 'INVALID_KEY' });
    await settle();
    assert.deepEqual(bench.runner.pending(), []);
    assert.ok(bench.errors.length >= 3);
  }
});

test('[HD-06, HD-07, HD-08] reconciles each mapped object once, in order, and calls the mapper with the old and the new object of a modification', async () => {
  const bench = await idle({ watches: [watch<KubeObject>(Disk, { map: named })] });
  bench.disks.put(diskFor('b', 'a', 'b'));
  assert.deepEqual(await bench.reconciled(), ['b', 'a']);
  bench.disks.put(diskFor('c', 'a'));
  assert.deepEqual(await bench.reconciled(), ['b', 'a', 'c']);
  bench.disks.remove(key('d'));
  assert.deepEqual(await bench.reconciled(), ['c', 'a']);
  assert.match(
    bench.causes.join(),
    /watched Disk default\/d added,.*watched Disk default\/d,.*watched Disk default\/d deleted/,
  );
});

test('[HD-10, HD-11, HD-12, HD-13] reconciles the owner of a child once, and after a change of the owner both the old and the new owner', async () => {
  const bench = await idle({ owns: [Disk] });
  bench.disks.put(ownedDisk(owner('a')));
  assert.deepEqual(await bench.reconciled(), ['a']);
  bench.disks.put({ ...ownedDisk(owner('a')), spec: {} } as KubeObject);
  assert.deepEqual(await bench.reconciled(), ['a']);
  bench.disks.put(ownedDisk(owner('b')));
  assert.deepEqual(await bench.reconciled(), ['a', 'b']);
  bench.disks.remove(key('d'));
  assert.deepEqual(await bench.reconciled(), ['b']);
});

test('[HD-15, HD-16, HD-18] ignores owners of another group or kind, and accepts owners in another version', async () => {
  const bench = await idle({ owns: [Disk] });
  bench.disks.put(ownedDisk(owner('a', { kind: 'Engine' })));
  bench.disks.put(ownedDisk(owner('a', { apiVersion: 'other.dev/v1' })));
  bench.disks.put(ownedDisk());
  assert.deepEqual(await bench.reconciled(), []);
  bench.disks.put(ownedDisk(owner('a', { apiVersion: 'test.dev/v1beta1' })));
  assert.deepEqual(await bench.reconciled(), ['a']);
});

test('the deletion of a child of a deleted owner triggers a reconcile of the new object with the name of the owner', async () => {
  const bench = await idle({ owns: [Disk] });
  bench.disks.put(ownedDisk(owner('a', { uid: 'an older one' })));
  assert.deepEqual(await bench.reconciled(), []);
  bench.disks.remove(key('d'));
  assert.deepEqual(await bench.reconciled(), ['a']);
});

test('[HD-17] the key of a cluster-scoped owner has no namespace', async () => {
  const global = machine('global', {}, { namespace: undefined as never });
  const bench = await idle({ owns: [Disk] }, { machines: [global], namespaced: false });
  bench.disks.put(ownedDisk(owner('global', { uid: 'uid-global' })));
  assert.deepEqual(await bench.reconciled(), ['global']);
});

test('[HD-19, HD-20, HD-22] reconciles only the controller owner, or all owners with everyOwner', async () => {
  const shared = ownedDisk(owner('a', { controller: false }), owner('b'), owner('c', { controller: false }));
  const alone = await idle({ owns: [Disk] });
  alone.disks.put(shared);
  assert.deepEqual(await alone.reconciled(), ['b']);
  alone.disks.put(ownedDisk(owner('a', { controller: false })));
  assert.deepEqual(await alone.reconciled(), ['b'], 'only the key of the old state');
  const all = await idle({ owns: [owned(Disk, { everyOwner: true })] });
  all.disks.put(shared);
  assert.deepEqual(await all.reconciled(), ['a', 'b', 'c']);
});

test('[HD-24] rejects a value that is not a kind and a watch without a mapper, and names the controller and the option', () => {
  const none = undefined as unknown as KindRef;
  const refused = (options: object, message: RegExp): void =>
    assert.throws(() => resolveControllerOptions({ for: Machine, name: 'vm', ...options }), {
      code: 'INVALID_CONTROLLER',
      message,
    });
  refused({ for: undefined }, /controller 'vm': 'for' is not a valid kind: .* import/);
  refused({ owns: [none] }, /controller 'vm': undefined is not a watch: use a kind, owned/);
  refused({ owns: [owned(none)] }, /controller 'vm': owned\(…\) has no valid kind: /);
  refused({ watches: [watch(none, { map: () => [] })] }, /controller 'vm': watch\(…\) has no valid kind: /);
  refused({ watches: [watch(Disk, {})] }, /watch\(Disk\) has neither 'map' nor 'on': use watch\(Disk, \{ map/);
  refused({ watches: [watch(Disk, { map: 'x' as never })] }, /'map' of watch\(Disk\) is not a function/);
  refused({ watches: [watch(Disk, { map: () => [], on: {} })] }, /has both 'map' and 'on'/);
  refused({ watches: [watch(Disk, { on: { changed: () => [] } as never })] }, /not 'changed'/);
  refused(
    { watches: [references(Disk, undefined as never)] },
    /references\(Disk\) has no function that returns the names/,
  );
  refused({ owns: [owned(Disk, { when: true as never })] }, /'when' of owned\(Disk\) is not a function/);
  refused(
    { owns: [owned(Disk, { verbs: ['drop' as 'delete'] })] },
    /'verbs' of owned\(Disk\) must be a list of create, patch, delete/,
  );
  refused({ owns: [owned(Disk, { priority: Number.NaN })] }, /'priority' of owned\(Disk\) is not a number/);
});

test('[HD-25] logs an invalid owner reference once and reconciles the other owners', async () => {
  const bench = await idle({ owns: [owned(Disk, { everyOwner: true })] });
  const child = ownedDisk(owner('x', { apiVersion: 'not/a/version' }), owner('a'));
  bench.disks.put(child);
  bench.disks.put({ ...child, spec: {} } as KubeObject);
  assert.deepEqual(new Set(await bench.reconciled()), new Set(['a']));
  assert.equal(bench.runner.stats().triggerErrors.owner, 1);
  assert.match(bench.errors.join(), /ignored an invalid owner reference: .*'not\/a\/version'/);
});

test('[HD-26, HD-27] calls the mapper for the type of the change, and a type without a mapper triggers no reconcile', async () => {
  const seen: string[] = [];
  const bench = await idle({
    watches: [
      watch<KubeObject>(Disk, {
        on: {
          added: (object) => {
            seen.push(`added ${object.metadata.name}`);
            return [key('a')];
          },
          modified: (object, { change }) => {
            assert.equal(change.type === 'modified' && change.old.metadata.resourceVersion, '1');
            seen.push(`modified to ${object.metadata.resourceVersion}`);
            return [key('b')];
          },
        },
      }),
    ],
  });
  bench.disks.put(diskFor());
  assert.deepEqual(await bench.reconciled(), ['a']);
  bench.disks.put(diskFor());
  assert.deepEqual(await bench.reconciled(), ['b']);
  bench.disks.remove(key('d'));
  assert.deepEqual(await bench.reconciled(), []);
  assert.deepEqual(seen, ['added d', 'modified to 2']);
});

const byReference = references<MachineObject, KubeObject>(Disk, ({ spec }) => spec.disk);
const everyWatch: readonly [string, Partial<ControllerOptions<KubeObject>>][] = [
  ['owned', { owns: [Disk] }],
  ['references', { watches: [byReference as never] }],
  ['map', { watches: [watch<KubeObject>(Disk, { map: named })] }],
  ['on', { watches: [watch<KubeObject>(Disk, { on: { added: named, modified: named } })] }],
];
const child = disk('d', { labels: { for: 'a' }, ownerReferences: [owner('a')] });

test('[HD-28, HD-29] queues objects of the first list with low priority, and later objects with normal priority', async () => {
  for (const [name, options] of everyWatch) {
    const first = await WatchBench.open(options, { disks: [child] });
    if (name === 'references') first.machines.put(machine('a', { disk: 'd' }));
    const expected = name === 'references' ? { 0: 1 } : { '-100': 1 };
    assert.deepEqual(first.ready, expected, name);
    const late = await WatchBench.open(options, { machines: [machine('a', { disk: 'd' })] });
    assert.deepEqual(late.ready, { '-100': 1 }, 'the object itself, of the first list');
    late.disks.put(child);
    assert.deepEqual(late.ready, { 0: 1 }, name);
  }
  const itself = await WatchBench.open({}, { machines });
  assert.deepEqual(itself.ready, { '-100': 3 });
  itself.machines.put(machine('new'));
  assert.deepEqual(itself.ready, { 0: 1, '-100': 3 });
  assert.deepEqual(await itself.start(), ['new', 'a', 'b', 'c']);
});

test('[HD-30, HD-31] queues a repeated version with low priority, and a new version with normal priority', async () => {
  for (const [name, options] of everyWatch) {
    const bench = await WatchBench.open(options, { machines: [machine('a', { disk: 'd' })] });
    await bench.start();
    bench.disks.put(child);
    await bench.reconciled();
    await bench.runner.stop();
    const second = await WatchBench.open(options, { machines: [machine('a', { disk: 'd' })] });
    const stored = { ...child, metadata: { ...child.metadata, resourceVersion: '7' } };
    second.disks.emit({ type: 'modified', object: stored, old: stored });
    assert.deepEqual(second.ready, { '-100': 1 }, name);
    const next = { ...child, metadata: { ...child.metadata, resourceVersion: '8' } };
    second.disks.emit({ type: 'modified', object: next, old: stored });
    assert.deepEqual(second.ready, { 0: 1 }, name);
  }
  const itself = await WatchBench.open({ when: () => true });
  const a = { ...machine('a'), metadata: { ...machine('a').metadata, resourceVersion: '7' } };
  itself.machines.emit({ type: 'modified', object: a, old: a });
  assert.deepEqual(itself.ready, { '-100': 1 });
  itself.machines.emit({ type: 'modified', object: machine('a'), old: a });
  assert.deepEqual(itself.ready, { 0: 1 });
  itself.machines.emit({ type: 'deleted', object: machine('gone'), stale: true });
  assert.deepEqual(itself.ready, { 0: 2 }, 'a deletion is never lowered');
});

test('[HD-33] objects of the first list keep their low priority after a delay or a failed mapper', async () => {
  let answers = false;
  const slow = watch<KubeObject>(Disk, {
    map: async ({ metadata }) => {
      if (metadata.name === 'later') return [key('later', { after: '1s' })];
      if (metadata.name === 'at-once') return [key('at-once')];
      if (!answers) throw new Error('the service does not answer');
      return [key('retried')];
    },
  });
  const bench = await WatchBench.open(
    { watches: [slow] },
    { disks: ['at-once', 'later', 'retried'].map((name) => disk(name)) },
  );
  await settle();
  assert.deepEqual(bench.ready, { '-100': 1 });
  await bench.advance(1000);
  assert.deepEqual(bench.ready, { '-100': 2 });
  answers = true;
  await bench.advance(60_000);
  assert.deepEqual(bench.ready, { '-100': 3 });
});

test('[HD-34] uses the priority of the key if it is set, otherwise the priority of the watch', async () => {
  const disks = [disk('d', { labels: { for: 'a' }, ownerReferences: [owner('a')] })];
  const watches = [watch<KubeObject>(Disk, { map: () => [key('b', { priority: 7 }), key('c')], priority: 3 })];
  const bench = await WatchBench.open({ owns: [owned(Disk, { priority: 5 })], watches }, { disks });
  assert.deepEqual(bench.ready, { 7: 1, 5: 1, 3: 1 });
});

test('logs and counts a mapper that throws or returns invalid keys, and reconciles the valid keys', async () => {
  const answers: Record<string, unknown> = {
    nothing: undefined,
    text: 'default/a',
    object: { namespace: 'default', name: 'a' },
    nameless: [{ namespace: 'default' }, key('a')],
    misspelt: [{ nme: 'a', password: 'secret' } as never],
    whole: [machine('a'), key('b')],
    homeless: [{ name: 'a' }, key('c')],
    numbered: [{ name: 'a', namespace: 7 }],
    unordered: [key('a', { priority: Number.NaN })],
    untimely: [key('a', { after: 'soon' as never })],
    null: [null, undefined],
  };
  const map = ({ metadata }: KubeObject): never => {
    if (metadata.name === 'thrown') throw new Error('a programming error');
    return answers[metadata.name] as never;
  };
  const bench = await idle({ watches: [watch<KubeObject>(Disk, { map })] });
  for (const name of [...Object.keys(answers), 'thrown']) bench.disks.put(disk(name));
  assert.deepEqual((await bench.reconciled()).toSorted(), ['a', 'b', 'c']);
  assert.equal(bench.runner.stats().triggerErrors.map, 13);
  const reported = bench.errors.join('\n');
  assert.match(
    reported,
    /the map function of watch\(\) failed; the change does not trigger a reconcile: Error: a programming error/,
  );
  assert.match(reported, /a mapper returned undefined: return a list of \{ namespace, name \}, or \[\] for no keys/);
  assert.match(
    reported,
    /the key \(a whole object\) has no name: pass \{ namespace, name \} of the Machine, such as object\.metadata/,
  );
  assert.match(reported, /the key \{ nme: …, password: … \} has no name/);
  assert.match(reported, /the key \{"name":"a"\} has no namespace, but Machine is namespaced/);
  await bench.advance(600_000);
  assert.equal(bench.runner.stats().triggerErrors.map, 13, 'no call is retried');
});

test('retries an asynchronous mapper that fails until it succeeds, without delaying other objects', async () => {
  let failures = 3;
  const map = async ({ metadata }: KubeObject): Promise<readonly ReconcileKey[]> => {
    if (metadata.name === 'd' && failures-- > 0) throw new Error('the service does not answer');
    return metadata.name === 'd' ? named({ metadata } as KubeObject) : [key('c')];
  };
  const bench = await idle({ watches: [watch<KubeObject>(Disk, { map })] });
  bench.disks.put(diskFor('a'));
  bench.disks.put(disk('other'));
  assert.deepEqual(await bench.reconciled(), ['c']);
  assert.deepEqual(bench.runner.pending(), [], 'a key that is due later is not pending');
  assert.deepEqual(bench.runner.pending(1000), ['map machine']);
  for (const ms of [100, 200]) await bench.advance(ms);
  assert.deepEqual(await bench.reconciled(), []);
  await bench.advance(400);
  assert.deepEqual(await bench.reconciled(), ['a']);
  assert.equal(bench.runner.stats().triggerErrors.map, 3);
  assert.match(bench.errors[0] ?? '', /it will be called again: Error: the service does not answer/);
  await bench.runner.stop();
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('limits the concurrent calls of an asynchronous mapper', async () => {
  let [active, most] = [0, 0];
  const map = async ({ metadata }: KubeObject): Promise<readonly ReconcileKey[]> => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => setImmediate(resolve));
    active--;
    return [key(metadata.name)];
  };
  const disks = Array.from({ length: 500 }, (_, at) => disk(`d-${at}`));
  const bench = await WatchBench.open({ watches: [watch<KubeObject>(Disk, { map })] }, { disks });
  while (bench.runner.pending().includes('map machine')) await settle();
  assert.deepEqual(bench.ready, { '-100': 500 });
  assert.ok(most <= 48, `${most} at once`);
});

test('applies the predicate of a watch, and a change for which the predicate throws triggers a reconcile', async () => {
  const when = changed<KubeObject>(({ metadata }) => {
    if (metadata.annotations?.['broken'] === 'yes') throw new Error('broken predicate');
    return metadata.labels;
  });
  const bench = await idle({ watches: [watch<KubeObject>(Disk, { map: () => [key('a')], when })] });
  bench.disks.put(diskFor('x'));
  bench.disks.put(diskFor('x'));
  assert.deepEqual(await bench.reconciled(), ['a']);
  bench.disks.put(disk('d', { labels: { for: 'x' }, annotations: { broken: 'yes' } }));
  assert.deepEqual(await bench.reconciled(), ['a']);
  assert.equal(bench.runner.stats().triggerErrors.predicate, 1);
  assert.match(
    bench.errors.join(),
    /the 'when' predicate of watch\(\) threw an error; the change is processed: Error: broken predicate/,
  );
});

test('an error of the function of references() is logged and counted, and the object references no other object', async () => {
  const broken = references<MachineObject, KubeObject>(Disk, ({ spec, metadata }) => {
    if (metadata.name === 'b') throw new Error('no disk');
    return spec.disk;
  });
  const all = ['a', 'b'].map((name) => machine(name, { disk: 'd' }));
  const bench = await idle({ watches: [broken as never] }, { machines: all });
  bench.disks.put(disk('d'));
  assert.deepEqual(await bench.reconciled(), ['a']);
  assert.ok(bench.runner.stats().triggerErrors.references > 0);
});

test('removes the index of references when the watch is removed or the controller stops', async () => {
  const bench = await idle({ watches: [byReference as never] });
  const declared = bench.machines.indexes;
  assert.equal(declared.length, 1);
  const another = references<MachineObject, KubeObject>(Disk, ({ spec }) => spec.disk);
  const added = await bench.runner.watch(another, new AbortController().signal);
  assert.equal(bench.machines.indexes.length, 2);
  await added[Symbol.asyncDispose]();
  assert.deepEqual(bench.machines.indexes, declared);
  await bench.runner.stop();
  assert.deepEqual(bench.machines.indexes, []);
});
