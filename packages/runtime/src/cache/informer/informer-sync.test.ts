import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { HandlerRecord, InformerBench, words } from '../../test-support/informer-bench.js';
import { keepBusy } from '../../test-support/keep-busy.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { InformerHandle } from './informer-handle.js';

const isClosedError = (error: unknown) => error instanceof KubewrightError && error.code === 'INFORMER_CLOSED';

for (const [what, objects] of [
  ['no object', []],
  ['one object', [configMap('a', '1')]],
  ['two objects', [configMap('a', '1'), configMap('b', '2')]],
] as const) {
  for (const streaming of [false, true]) {
    test(`[CG-058] ${what}, ${streaming ? 'streamed' : 'listed'}: an informer is synced when it stores all objects, and a handler when it has received all objects`, async () => {
      await using bench = await InformerBench.start({ streaming });
      const record = new HandlerRecord();
      const registration = bench.informer.addHandler(record);
      let handedOver: number | undefined;
      const handled = registration.synced.then(() => {
        handedOver = record.seen.length;
      });
      let stored: number | undefined;
      const synced = bench.informer.synced().then(() => {
        stored = bench.informer.size;
      });
      assert.equal(bench.informer.isSynced, false, 'before the start');
      assert.equal(bench.informer.hasSynced, false);
      bench.informer.start();
      const request = await bench.server.next();
      assert.equal(bench.informer.isSynced, false, 'before the response');
      if (streaming) {
        for (const object of objects) request.event('ADDED', object);
        assert.equal(bench.informer.isSynced, false, 'before the end of the initial objects');
        request.endInitial('10');
      } else request.list('10', objects);
      await Promise.all([synced, handled]);
      assert.equal(bench.informer.hasSynced, true);
      assert.deepEqual([stored, handedOver], [objects.length, objects.length + 1]);
      assert.equal(record.seen.at(-1), 'synced');
    });
  }
}

test('[CG-058] a handler that has not received all objects of the first list is not synced, even if the informer is synced', async () => {
  await using bench = await InformerBench.start();
  let handed = 0;
  let handedAtSync: number | undefined;
  const registration = bench.informer.addHandler({
    onChange: () => {
      keepBusy(5);
      handed++;
    },
  });
  await bench.listed(
    '10',
    Array.from({ length: 20 }, (_, at) => configMap(`n${at}`, '1')),
  );
  await bench.informer.synced();
  assert.ok(handed < 20, 'the informer does not wait for handlers');
  await registration.synced.then(() => {
    handedAtSync = handed;
  });
  assert.equal(handedAtSync, 20);
});

test('[CG-059] an informer does not report objects that are deleted before the initial events end, and is synced afterwards', async () => {
  await using bench = await InformerBench.start({ streaming: true });
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  bench.informer.start();
  (await bench.server.next())
    .event('ADDED', configMap('a', '1'))
    .event('ADDED', configMap('b', '2'))
    .event('DELETED', configMap('a', '3'))
    .event('DELETED', configMap('unknown', '4'))
    .endInitial('10');
  await record.got('synced');
  assert.deepEqual(record.seen, ['added b:2 initial', 'synced']);
  assert.deepEqual(bench.stored, ['b:2']);
});

test('[CG-062] closing the informer ends all waits for changes and for the first list', async () => {
  await using bench = await InformerBench.start();
  const registration = bench.informer.addHandler(new HandlerRecord());
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const changes = holder.changes()[Symbol.asyncIterator]();
  const change = changes.next();
  const rejected = [
    assert.rejects(bench.informer.synced(), isClosedError),
    assert.rejects(registration.synced, isClosedError),
  ];
  bench.informer.start();
  await bench.server.next();
  await bench.informer.close();
  assert.deepEqual(await change, { value: undefined, done: true });
  await Promise.all(rejected);
});

test('[CG-232] an iteration yields every change, and ends when its signal is aborted or its handle or informer is closed', async () => {
  await using bench = await InformerBench.start();
  const stop = new AbortController();
  const holders = Array.from({ length: 3 }, () => new InformerHandle(bench.informer, async () => undefined));
  const seen = holders.map((): string[] => []);
  const loops = holders.map(async (holder, at) => {
    for await (const change of holder.changes(at === 0 ? { signal: stop.signal } : {})) {
      seen[at]?.push(words(change));
      if (change.type !== 'deleted') continue;
      if (at === 0) stop.abort();
      if (at === 1) void holder[Symbol.asyncDispose]();
      if (at === 2) void bench.informer.close();
    }
  });
  const watch = await bench.listed('10', [configMap('a', '1')]);
  watch
    .event('ADDED', configMap('b', '11'))
    .event('MODIFIED', configMap('b', '12'))
    .event('DELETED', configMap('a', '13'));
  await Promise.all(loops);
  for (const each of seen) assert.deepEqual(each, ['added a:1 initial', 'added b:11', 'modified b:12', 'deleted a:13']);
});

test('an iteration removes its abort listeners when it ends', async () => {
  await using bench = await InformerBench.start();
  await using holder = new InformerHandle(bench.informer, async () => undefined);
  const { signal } = new AbortController();
  await bench.listed('10', [configMap('a', '1')]);
  await bench.informer.synced();
  for await (const change of holder.changes({ signal })) if (change.type === 'added') break;
  holder.changes({ signal });
  for (const each of [signal, bench.informer.closing]) assert.deepEqual(getEventListeners(each, 'abort'), []);
});

test('[CG-231] all handles of an informer receive the same changes with the same object instances', async () => {
  await using bench = await InformerBench.start();
  const objects: KubeObject[][] = [[], []];
  const records = [new HandlerRecord(), new HandlerRecord()];
  for (const [at, record] of records.entries()) {
    bench.informer.addHandler({
      onChange: (change) => {
        objects[at]?.push(change.object);
        record.onChange(change);
      },
      onSynced: () => record.onSynced(),
    });
  }
  const watch = await bench.listed('10', [configMap('a', '1')]);
  watch.event('ADDED', configMap('b', '11')).event('DELETED', configMap('a', '12'));
  await Promise.all(records.map((record) => record.got('deleted a:12')));
  const expected = ['added a:1 initial', 'synced', 'added b:11', 'deleted a:12'];
  assert.deepEqual(
    records.map(({ seen }) => seen),
    [expected, expected],
  );
  const [first = [], second = []] = objects;
  assert.ok(first.length === 3 && first.every((object, at) => object === second[at]));
});

test('[CG-233] a slow iteration delays neither the store nor other handlers, and loses no change', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const slow = holder.changes()[Symbol.asyncIterator]();
  const watch = await bench.listed('10', [configMap('a', '1')]);
  const seen = [await slow.next()];
  for (let version = 11; version <= 60; version++) watch.event('MODIFIED', configMap('a', String(version)));
  await record.got('modified a:60');
  assert.deepEqual(bench.stored, ['a:60']);
  while (seen.length < 51) seen.push(await slow.next());
  assert.deepEqual(
    seen.map(({ value }) => (value as { object: KubeObject }).object.metadata.resourceVersion),
    ['1', ...Array.from({ length: 50 }, (_, at) => String(11 + at))],
  );
});

test('[CG-072] when a handler is called, the store already has the version of the last list, event or bookmark', async () => {
  await using bench = await InformerBench.start();
  const reported: string[] = [];
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      reported.push(`${words(change)} @${bench.informer.resourceVersion}`);
      record.onChange(change);
    },
    onSynced: () => record.onSynced(),
  });
  assert.equal(bench.informer.resourceVersion, '');
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  await record.got('synced');
  assert.equal(bench.informer.resourceVersion, '10');
  watch.event('MODIFIED', configMap('a', '11')).event('DELETED', configMap('b', '12'));
  await record.got('deleted b:12');
  const caughtUp = new Promise<void>((resolve) => {
    bench.onProgress = resolve;
  });
  watch.bookmark('15');
  await caughtUp;
  assert.equal(bench.informer.resourceVersion, '15');
  await bench.relisted(watch, '20', []);
  await record.got('deleted a:11 stale');
  assert.deepEqual(reported, [
    'added a:1 initial @10',
    'added b:2 initial @10',
    'modified a:11 @11',
    'deleted b:12 @12',
    'deleted a:11 stale @20',
  ]);
});

test('[CG-072] a wait for a deletion ends with the deletion event or a later bookmark', async () => {
  await using bench = await InformerBench.start();
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await bench.informer.synced();
  const seen = (object: KubeObject): Promise<void> =>
    new Promise((resolve) => {
      bench.onProgress = () => {
        if (bench.informer.hasSeen(object)) resolve();
      };
    });
  const deletion = seen(configMap('a', '11'));
  watch.event('DELETED', configMap('a', '11'));
  await deletion;
  const never = seen(configMap('never', '14'));
  watch.bookmark('15');
  await never;
});

test('[CG-073] ignores objects whose metadata the transform removed, and later events still advance the version', async () => {
  await using bench = await InformerBench.start({
    transform: (object) =>
      object.metadata.name.startsWith('bare') ? ({ kept: true } as unknown as KubeObject) : object,
  });
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('bare', '1'), configMap('a', '2')]);
  await record.got('synced');
  assert.equal(bench.informer.resourceVersion, '10');
  watch.event('ADDED', configMap('bare2', '11')).event('MODIFIED', configMap('a', '12'));
  await record.got('modified a:12');
  assert.equal(bench.informer.resourceVersion, '12');
  assert.deepEqual(bench.stored, ['a:12']);
  assert.equal(bench.logger.lines.filter(({ message }) => message.includes('transform failed')).length, 2);
});

test('removes a deleted object even if the transform throws for its last state', async () => {
  await using bench = await InformerBench.start({
    transform: (object) => {
      if (object.metadata.deletionTimestamp !== undefined) throw new Error('cannot process the object');
      return object;
    },
  });
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  watch.event('DELETED', configMap('a', '11', { metadata: { deletionTimestamp } }));
  await record.got('deleted a:11');
  assert.deepEqual(bench.stored, []);
});
