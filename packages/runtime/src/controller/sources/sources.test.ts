import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind, type KubeObject, metadataOnly } from '@kubewright/api';
import { Metrics } from '../../metrics/metrics.js';
import { Disk, disk, Machine, machine, settle } from '../../test-support/controller-bench.js';
import { metricValue } from '../../test-support/metric-value.js';
import { WatchBench } from '../../test-support/watch-bench.js';
import { resolveControllerOptions } from '../options/resolved-options.js';
import { Channel } from './channel.js';
import { kindSource } from './kind-source.js';
import { ownerKeys } from '../watches/owner-keys.js';
import type { ReconcileKey } from '../watches/reconcile-key.js';
import { sourceOf } from './source-of.js';
import type { Source } from './source.js';
import { watch } from '../watches/watch-declaration.js';

const machines = ['a', 'b', 'c'].map((name) => machine(name));
const key = (name: string, more: Partial<ReconcileKey> = {}): ReconcileKey => ({ namespace: 'default', name, ...more });
const never = (): AbortSignal => new AbortController().signal;

async function running(...sources: Source[]): Promise<WatchBench> {
  const bench = await WatchBench.open({ sources }, { machines });
  await bench.start();
  await bench.reconciled();
  bench.causes.length = 0;
  return bench;
}

test('[SR-09] calls the function of a source once when the controller starts, with the target and the signal', async () => {
  const calls: AbortSignal[] = [];
  const bench = await running(
    sourceOf('function', (target, signal) => {
      calls.push(signal);
      target.enqueue(key('b'), { reason: 'triggered by hand' });
    }),
  );
  await bench.sync();
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.aborted, false);
  await bench.runner.stop();
  assert.equal(calls[0]?.aborted, true);
});

test('[SR-10, HD-04, HD-09, HD-14] reconciles the keys, the objects and the mapped items that a channel delivers', async () => {
  const [keys, objects, items, children] = [
    new Channel(),
    new Channel<KubeObject>(),
    new Channel<string>(),
    new Channel<KubeObject>(),
  ];
  const bench = await running(
    sourceOf('keys', keys),
    sourceOf('objects', objects),
    sourceOf('items', items, { map: (text) => text.split(' ').map((name) => key(name)) }),
    sourceOf('children', children, { map: ownerKeys(Machine) }),
  );
  await keys.send(key('a'));
  assert.deepEqual(await bench.reconciled(), ['a']);
  await objects.send(machine('b'));
  assert.deepEqual(await bench.reconciled(), ['b']);
  await items.send('c a');
  assert.deepEqual(await bench.reconciled(), ['c', 'a']);
  const reference = { apiVersion: 'test.dev/v1', kind: 'Machine', name: 'b', uid: 'x', controller: true };
  await children.send(disk('d', { ownerReferences: [reference] }));
  assert.deepEqual(await bench.reconciled(), ['b']);
  assert.deepEqual(bench.causes, [
    'watched keys',
    'watched objects',
    'watched items',
    'watched items',
    'watched children',
  ]);
});

test('[SR-11] a mapper blocks its source until the mapper returns, and then the source delivers the queued items', async () => {
  let release: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const channel = new Channel<string>({ buffer: 2 });
  const map = async (name: string): Promise<readonly ReconcileKey[]> => {
    await blocked;
    return [key(name)];
  };
  const bench = await running(sourceOf('slow', channel, { map }));
  for (const name of ['a', 'b', 'c']) void channel.send(name);
  assert.deepEqual(await bench.reconciled(), []);
  assert.equal(channel.size, 2, 'only one event is with the mapper');
  assert.deepEqual(bench.runner.pending(), ['map machine']);
  release();
  assert.deepEqual(await bench.reconciled(), ['a', 'b', 'c']);
  assert.deepEqual(bench.runner.pending(), []);
});

test('[SR-12] delivers items that were sent before the start', async () => {
  const channel = new Channel();
  for (const name of ['c', 'b']) await channel.send(key(name));
  const bench = await WatchBench.open({ sources: [sourceOf('early', channel)] }, { machines });
  await bench.sync();
  await settle();
  assert.deepEqual(bench.ready, { 0: 2, '-100': 1 });
  assert.deepEqual(await bench.start(), ['c', 'b', 'a'], 'the key is served before keys of existing objects');
});

test('[SR-13] a source ends when its channel is closed, and the controller continues', async () => {
  const channel = new Channel();
  const bench = await running(sourceOf('ending', channel));
  await channel.send(key('a'));
  channel.close();
  assert.deepEqual(await bench.reconciled(), ['a']);
  assert.deepEqual([bench.runner.unready(), bench.errors], [[], []]);
  bench.machines.put(machine('new'));
  assert.deepEqual(await bench.reconciled(), ['new']);
  await bench.runner.stop();
});

test('[SR-04, SR-05, SR-06, SR-14] rejects a source without a channel, cache, kind or mapper when it is created', () => {
  assert.throws(() => sourceOf('none', undefined as never), {
    code: 'INVALID_SOURCE',
    message: /source 'none': undefined is neither an async iterable nor a function/,
  });
  assert.throws(() => sourceOf('none', { read: () => [] } as never), {
    message: /source 'none': \{ read: … \} is neither an async iterable nor a function/,
  });
  assert.throws(() => sourceOf('', new Channel()), { code: 'INVALID_SOURCE' });
  const cache = { informer: () => undefined } as never;
  assert.throws(() => kindSource(Disk, { map: () => [] } as never), {
    code: 'INVALID_SOURCE',
    message: /'kind source: Disk': 'cache' is not a cache/,
  });
  assert.throws(() => kindSource(undefined as never, { cache, map: () => [] }), { code: 'NOT_A_KIND' });
  assert.throws(() => kindSource(Disk, { cache } as never), {
    code: 'INVALID_SOURCE',
    message: /'map' is not a function/,
  });
  const refused = (sources: unknown, message: RegExp): void =>
    assert.throws(() => resolveControllerOptions({ for: Machine, name: 'vm', sources } as never), {
      code: 'INVALID_CONTROLLER',
      message,
    });
  refused([undefined], /controller 'vm': an entry of 'sources' is not a source/);
  refused([sourceOf('x', new Channel()), sourceOf('x', new Channel())], /duplicate source 'x'/);
});

test('[SR-22] the name of a kind source contains the kind', () => {
  const options = { cache: { informer: () => undefined } as never, map: () => [] };
  const unknown = dynamicKind('test.dev/v1', 'Engine');
  const names = [Disk, unknown, metadataOnly(Disk)].map((kind) => kindSource(kind as typeof Disk, options).name);
  assert.deepEqual(names, ['kind source: Disk', 'kind source: Engine', 'kind source: Disk (metadata)']);
});

test('[SR-16, SR-17] delivers the changes of a watch, and a predicate can reject each type of change', async () => {
  for (const suppressed of ['none', 'added', 'modified', 'deleted']) {
    const seen: string[] = [];
    const watches = [
      watch<KubeObject>(Disk, {
        when: ({ type }) => type !== suppressed,
        map: (_, { change }) => {
          seen.push(change.type);
          return [];
        },
      }),
    ];
    const bench = await WatchBench.open({ watches });
    const stored = bench.disks.put(disk('d'));
    bench.disks.put(stored);
    bench.disks.remove(key('d'));
    assert.deepEqual(new Set(seen), new Set(['added', 'modified', 'deleted'].filter((type) => type !== suppressed)));
  }
});

test('[SR-18, SR-19, SR-21] ignores and logs values that are not objects or have no metadata, from watches and sources', async () => {
  const channel = new Channel<unknown>();
  const bench = await running(sourceOf('rubbish', channel as Channel<KubeObject>));
  const invalidObjects = [undefined, null, 7, 'default/a', {}, { metadata: {} }, { metadata: { name: '' } }];
  for (const item of [...invalidObjects, key('b')]) void channel.send(item);
  assert.deepEqual(await bench.reconciled(), ['b']);
  assert.equal(bench.runner.stats().triggerErrors.source, invalidObjects.length);
  for (const object of invalidObjects) bench.machines.emit({ type: 'deleted', object, stale: true } as never);
  assert.deepEqual(bench.runner.pending(), []);
  assert.deepEqual(bench.runner.unready(), []);
});

test('[SR-20] a stale deletion triggers a reconcile for the last known state of the object', async () => {
  const seen: string[] = [];
  const map = ({ metadata }: KubeObject, { change }: { readonly change: { readonly type: string } }) => {
    seen.push(`${change.type} ${metadata.labels?.['of'] ?? ''}`);
    return [];
  };
  const bench = await running();
  bench.machines.emit({ type: 'deleted', object: machine('a'), stale: true });
  assert.equal(bench.runner.stats().queue.adds, 4);
  const mapped = await WatchBench.open({ watches: [watch<KubeObject>(Disk, { map })] });
  mapped.disks.emit({ type: 'deleted', object: disk('d', { labels: { of: 'a' } }), stale: true });
  assert.deepEqual(seen, ['deleted a']);
});

test('if a source fails at the start, the controller does not start or is not ready, and reports the source and the cause', async () => {
  const cause = new Error('no broker');
  const failing: readonly Source[] = [
    sourceOf('broker', () => {
      throw cause;
    }),
    sourceOf('broker', async () => {
      throw cause;
    }),
    // oxlint-disable-next-line require-yield
    sourceOf('broker', async function* () {
      throw cause;
    }),
    { name: 'broker', start: () => Promise.reject(cause) },
    { name: 'broker', start: () => undefined, synced: () => Promise.reject(cause) },
  ];
  for (const source of failing) {
    const bench = await WatchBench.open({ sources: [source, sourceOf('good', new Channel())] });
    // Tracked work may fail after all other sources are synced.
    const failed = await bench.sync().then(
      () => settle(),
      (error: unknown) => error,
    );
    if (failed === undefined) assert.match(bench.runner.unready().join(), /source 'broker' .* has failed: no broker/);
    else assert.match(String(failed), /cannot start controller 'machine': its source 'broker' failed: no broker/);
    await bench.runner.stop();
  }
});

test('if a source fails later, the controller logs the source and becomes unready, and other sources continue', async () => {
  const [broken, good] = [new Channel<string>(), new Channel()];
  const bench = await running(
    sourceOf('broken', async function* () {
      for await (const _ of broken) throw new Error('connection lost');
      yield key('x');
    }),
    sourceOf('good', good),
  );
  await broken.send('x');
  await settle();
  assert.deepEqual(bench.runner.unready(), ["source 'broken' of controller 'machine' has failed: connection lost"]);
  assert.deepEqual(bench.errors, ['an error occurred in a source: Error: connection lost']);
  await good.send(key('c'));
  assert.deepEqual(await bench.reconciled(), ['c']);
  await bench.runner.stop();
});

test('counts trigger errors by origin in the metrics', async () => {
  const metrics = new Metrics({ process: false });
  const channel = new Channel();
  const when = (): boolean => {
    throw new Error('broken predicate');
  };
  const bench = await WatchBench.open({ when, sources: [sourceOf('items', channel)] }, { dependencies: { metrics } });
  await bench.start();
  bench.machines.put(machine('a'));
  await channel.send({ name: '' });
  await settle();
  const labels = { controller: 'machine' };
  const value = (origin: string): Promise<number | undefined> =>
    metricValue(metrics, 'kubewright_trigger_errors_total', { ...labels, origin });
  assert.deepEqual([await value('predicate'), await value('source'), await value('map')], [1, 1, 0]);
});

test('readiness reports a source whose start or sync does not end, and the signal ends the wait for the source', async () => {
  const endless = new Promise<void>(() => undefined);
  for (const [source, problem] of [
    [{ name: 'stuck', start: () => endless }, /source 'stuck' .* has not started yet: 'start' must return/],
    [{ name: 'stuck', start: () => undefined, synced: () => endless }, /source 'stuck' .* is not synced yet/],
  ] as const) {
    const bench = await WatchBench.open({ sources: [source] });
    const abort = new AbortController();
    const syncing = bench.runner.synced(abort.signal);
    await settle();
    assert.match(bench.runner.unready().join(), problem);
    abort.abort(new Error('the time limit has passed'));
    await assert.rejects(syncing, /the time limit has passed/);
    await bench.runner.stop();
  }
});

test('the first reconcile starts after all sources are synced', async () => {
  let sync: () => void = () => undefined;
  const source: Source = {
    name: 'slow',
    start: (target) => target.enqueue(key('b')),
    synced: () =>
      new Promise((resolve) => {
        sync = resolve;
      }),
  };
  const bench = await WatchBench.open({ sources: [source] }, { machines });
  const synced = bench.runner.synced(never());
  await settle();
  assert.deepEqual(bench.ready, { 0: 1, '-100': 2 });
  sync();
  await synced;
  assert.deepEqual(bench.runner.unready(), []);
});

test('retries an asynchronous mapper that fails, and processes later items in the meantime', async () => {
  let failures = 2;
  const channel = new Channel<string>();
  const map = async (name: string): Promise<readonly ReconcileKey[]> => {
    if (name === 'a' && failures-- > 0) throw new Error('the service does not answer');
    return [key(name, { priority: 3 })];
  };
  const bench = await running(sourceOf('items', channel, { map, when: (name) => name !== 'b', priority: 1 }));
  for (const name of ['a', 'b', 'c']) await channel.send(name);
  assert.deepEqual(await bench.reconciled(), ['c']);
  channel.close();
  await bench.advance(100);
  await bench.advance(200);
  assert.deepEqual(await bench.reconciled(), ['a'], 'also if the source has ended in the meantime');
  assert.equal(bench.runner.stats().triggerErrors.source, 2);
});

test('stopping the controller ends sources that wait for an item or process an item', async () => {
  let closed = false;
  const stuck = new Channel<string>();
  const bench = await running(
    sourceOf('waiting', new Channel()),
    sourceOf('stuck', stuck, { map: () => new Promise<readonly ReconcileKey[]>(() => undefined) }),
    sourceOf('generator', async function* (_, signal) {
      try {
        yield key('a');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      } finally {
        closed = true;
      }
    }),
    sourceOf('deaf', () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<ReconcileKey>>(() => undefined) }),
    })),
  );
  await stuck.send('x');
  await bench.runner.stop();
  await settle();
  assert.equal(closed, true);
  assert.deepEqual(bench.errors, []);
});

test('watches and sources can be added and removed while the controller runs', async () => {
  const bench = await running();
  const closed: string[] = [];
  const table = Object.assign(bench.disks, {
    [Symbol.asyncDispose]: async () => {
      closed.push('disks');
    },
  });
  table.put(disk('d'));
  const watching = await bench.runner.watch(watch<KubeObject>(Disk, { map: () => [key('a')] }), never());
  assert.deepEqual(await bench.reconciled(), ['a'], 'for existing objects');
  table.put(disk('e'));
  assert.deepEqual(await bench.reconciled(), ['a']);
  await watching[Symbol.asyncDispose]();
  table.put(disk('f'));
  assert.deepEqual([await bench.reconciled(), closed], [[], ['disks']]);

  const channel = new Channel();
  const listening = await bench.runner.listen(sourceOf('late', channel), never());
  await channel.send(key('b'));
  assert.deepEqual(await bench.reconciled(), ['b']);
  await listening[Symbol.asyncDispose]();
  await channel.send(key('b'));
  assert.deepEqual([await bench.reconciled(), channel.size], [[], 1]);

  await assert.rejects(bench.runner.watch(watch(Disk, {}), never()), { code: 'INVALID_CONTROLLER' });
  const failing: Source = { name: 'failing', start: () => Promise.reject(new Error('no broker')) };
  await assert.rejects(bench.runner.listen(failing, never()), { code: 'SOURCE_FAILED' });
  assert.deepEqual(bench.runner.unready(), []);
});
