import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { HandlerRecord, InformerBench, words } from '../../test-support/informer-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { InformerHandle } from './informer-handle.js';

const key = (name: string) => ({ namespace: 'default', name });
const isClosedError = (error: unknown) => error instanceof KubewrightError && error.code === 'INFORMER_CLOSED';

test('[CG-083] lists all objects, the objects of a namespace, and the objects with labels', async () => {
  await using bench = await InformerBench.start();
  const web = configMap('web', '1', { metadata: { labels: { app: 'web' } } });
  const other = configMap('other', '2', { metadata: { namespace: 'elsewhere', labels: { app: 'db' } } });
  await bench.listed('10', [web, other]);
  const list = (options = {}) => bench.informer.list(options).map((object) => object.metadata.name);
  assert.deepEqual(list(), ['web', 'other']);
  assert.deepEqual(list({ namespace: 'elsewhere' }), ['other']);
  assert.deepEqual(list({ labels: { app: 'web' } }), ['web']);
  assert.deepEqual(list({ labels: 'app in (db, web)' }), ['web', 'other']);
  assert.deepEqual(list({ labels: 'app=none' }), []);
  assert.deepEqual(list({ namespace: 'default', labels: { app: 'db' } }), []);
});

test('[CG-084] finds an object by namespace and name, or by name alone if the object is cluster-scoped', async () => {
  await using bench = await InformerBench.start();
  const { namespace: _, ...metadata } = configMap('cluster', '2').metadata;
  const clusterScoped = { ...configMap('cluster', '2'), metadata };
  await bench.listed('10', [configMap('a', '1'), clusterScoped]);
  assert.deepEqual(bench.informer.get(key('a')), configMap('a', '1'));
  assert.deepEqual(bench.informer.get({ name: 'cluster' }), clusterScoped);
  assert.equal(bench.informer.get({ name: 'a' }), undefined);
  assert.equal(bench.informer.get(key('cluster')), undefined);
});

test('[CG-089] a handler that is added late receives the same changes as a handler that is added before the start', async () => {
  await using bench = await InformerBench.start();
  const [early, late] = [new HandlerRecord(), new HandlerRecord()];
  bench.informer.addHandler(early);
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  bench.informer.addHandler(late);
  watch.event('MODIFIED', configMap('a', '11'));
  const expected = ['added a:1 initial', 'added b:2 initial', 'synced', 'modified a:11'];
  for (const record of [early, late]) {
    await record.got('modified a:11');
    assert.deepEqual(record.seen, expected);
  }
});

test('[CG-090] the next list reports deletions, changes and recreated objects that the watch missed', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [
    configMap('same', '1'),
    configMap('changed', '2'),
    configMap('gone', '3'),
    configMap('again', '4'),
  ]);
  await record.got('synced');
  watch.errorEvent(410, 'Expired');
  await bench.clock.scheduled(800);
  bench.clock.advance(800);
  (await bench.server.next()).list('20', [
    configMap('same', '1'),
    configMap('changed', '12'),
    configMap('new', '13'),
    configMap('again', '14', { metadata: { uid: 'other' } }),
  ]);
  await record.got('added again:14');
  assert.deepEqual(record.seen.slice(5).toSorted(), [
    'added again:14',
    'added new:13',
    'deleted again:4 stale',
    'deleted gone:3 stale',
    'modified changed:12',
  ]);
});

test('[CG-091] reports errors to status listeners', async () => {
  await using bench = await InformerBench.start();
  const failed = new Promise<unknown>((resolve) => {
    bench.informer.onStatus((status) => status.lastError !== undefined && resolve(status.lastError));
  });
  bench.informer.start();
  (await bench.server.next()).status(403, 'Forbidden', { message: 'not for you' });
  assert.match(String(await failed), /list configmaps: not for you/);
});

test('[CG-092] an informer that is started several times sends one list and one watch', async () => {
  await using bench = await InformerBench.start();
  for (let i = 0; i < 5; i++) bench.informer.start();
  (await bench.listed('10', [])).bookmark('11');
  assert.equal(bench.server.requests, 2);
});

test('[CG-094] a removed handler receives no further changes', async () => {
  await using bench = await InformerBench.start();
  const [removed, stays] = [new HandlerRecord(), new HandlerRecord()];
  const registration = bench.informer.addHandler(removed);
  bench.informer.addHandler(stays);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await stays.got('synced');
  registration.remove();
  watch.event('MODIFIED', configMap('a', '11'));
  await stays.got('modified a:11');
  assert.deepEqual(removed.seen, ['added a:1 initial', 'synced']);
});

test('[CG-095][CG-097] removing a handler again, or removing a handler of a closed handle, has no effect', async () => {
  await using bench = await InformerBench.start();
  const [first, second] = [new HandlerRecord(), new HandlerRecord()];
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const registration = holder.addHandler(first);
  bench.informer.addHandler(second);
  registration.remove();
  registration.remove();
  await holder[Symbol.asyncDispose]();
  registration.remove();
  await bench.listed('10', [configMap('a', '1')]);
  await second.got('synced');
  assert.deepEqual(first.seen, []);
});

test('[CG-096] calls a handler twice if it is added twice', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const second = bench.informer.addHandler(record);
  await bench.listed('10', [configMap('a', '1')]);
  await second.synced;
  assert.deepEqual([...record.seen].toSorted(), ['added a:1 initial', 'added a:1 initial', 'synced', 'synced']);
});

test('[CG-098] adding and removing handlers during events does not affect other handlers', async () => {
  await using bench = await InformerBench.start();
  const steady = new HandlerRecord();
  bench.informer.addHandler(steady);
  let added = 0;
  bench.informer.addHandler({
    onChange: () => {
      const own = bench.informer.addHandler({ onChange: () => void added++ });
      if (added % 2 === 0) own.remove();
    },
  });
  const watch = await bench.listed('10', [configMap('a', '1')]);
  for (let i = 0; i < 30; i++) watch.event('MODIFIED', configMap('a', String(11 + i)));
  await steady.got('modified a:40');
  assert.equal(steady.seen.length, 32);
});

test('[CG-099] reports whether the informer is idle, watching or stopped', async () => {
  await using bench = await InformerBench.start();
  const state = (): string => bench.informer.status.state.name;
  assert.equal(state(), 'idle');
  await bench.listed('10', []);
  assert.equal(state(), 'watching');
  assert.equal(bench.informer.isClosed, false);
  await bench.informer.close();
  assert.equal(state(), 'stopped');
  assert.equal(bench.informer.isClosed, true);
});

test('[CG-100][CG-101] after an informer is closed, adding a handler throws, and removing a handler does not', async () => {
  await using bench = await InformerBench.start();
  const registration = bench.informer.addHandler(new HandlerRecord());
  await bench.listed('10', []);
  await bench.informer.close();
  assert.throws(() => bench.informer.addHandler(new HandlerRecord()), isClosedError);
  registration.remove();
});

test('[CG-102] closing an informer ends the watch, discards pending changes, and rejects waits for the first list', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  const registration = bench.informer.addHandler(record);
  bench.informer.start();
  const list = await bench.server.next();
  const synced = assert.rejects(bench.informer.synced(), isClosedError);
  const handled = assert.rejects(registration.synced, isClosedError);
  await bench.informer.close();
  await Promise.all([synced, handled, list.closed]);
  assert.deepEqual(record.seen, []);
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('[CG-103] logs an error of a handler and delivers later changes to all handlers', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  let calls = 0;
  const throwing = bench.informer.addHandler({
    onChange: () => {
      calls++;
      throw new Error('the handler is broken');
    },
  });
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await throwing.synced;
  watch.event('MODIFIED', configMap('a', '11'));
  await record.got('modified a:11');
  assert.equal(calls, 2);
  assert.equal(bench.logger.lines.filter((line) => line.level === 'error').length, 2);
});

test('[CG-104][CG-105] a handler can remove itself before, during and after a call', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  let calls = 0;
  bench.informer.addHandler(new HandlerRecord()).remove();
  const registration = bench.informer.addHandler({
    onChange: () => {
      calls++;
      registration.remove();
      throw new Error('and fail');
    },
  });
  bench.informer.addHandler(record);
  await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  await record.got('synced');
  registration.remove();
  assert.equal(calls, 1);
});

test('[CG-106] waits for the first list without polling, and reports the name of the kind in the status', async () => {
  await using bench = await InformerBench.start();
  assert.equal(bench.informer.status.kind, 'ConfigMap');
  assert.equal(bench.informer.status.synced, false);
  let isSynced = false;
  const synced = bench.informer.synced().then(() => {
    isSynced = true;
  });
  bench.informer.start();
  const list = await bench.server.next();
  assert.equal(isSynced, false);
  list.list('10', []);
  await synced;
  assert.equal(bench.informer.status.synced, true);
  assert.equal(bench.clock.monotonicMs(), 0);
});

test('[CG-107] a handler is synced when it has received all objects of the first list', async () => {
  await using bench = await InformerBench.start();
  let handled = 0;
  const registration = bench.informer.addHandler({ onChange: () => void handled++ });
  await bench.listed(
    '10',
    Array.from({ length: 300 }, (_, i) => configMap(`cm-${i}`, String(i + 1))),
  );
  await registration.synced;
  assert.equal(handled, 300);
});

test('an iteration yields the existing objects and then changes, until the informer is closed', async () => {
  await using bench = await InformerBench.start();
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  watch.event('DELETED', configMap('a', '11'));
  const seen: string[] = [];
  for await (const change of holder.changes()) {
    seen.push(words(change));
    if (change.type === 'deleted') void bench.informer.close();
  }
  assert.equal(seen.at(-1), 'deleted a:11');
});

test('[CG-110] reads return an own write immediately, and older events of the watch do not replace the own write', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  const written = configMap('a', '15');
  bench.informer.wrote(written);
  bench.informer.wrote(configMap('new', '16'));
  assert.equal(bench.informer.get(key('a')), written);
  assert.deepEqual(
    bench.informer
      .list()
      .map((object) => object.metadata.resourceVersion)
      .toSorted(),
    ['15', '16'],
  );
  assert.equal(bench.informer.size, 2);
  watch.event('MODIFIED', configMap('a', '12'));
  await record.got('modified a:12');
  assert.equal(bench.informer.get(key('a')), written);
  watch.event('MODIFIED', configMap('a', '17'));
  await record.got('modified a:17');
  assert.equal(bench.informer.get(key('a'))?.metadata.resourceVersion, '17');
  assert.equal(
    bench.informer.get(key('new')),
    undefined,
    'the object was deleted before version 17, because the watch did not deliver it',
  );
});

test('reports an own write as deleted if the next list does not contain the object', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  bench.informer.wrote(configMap('new', '16'));
  watch.errorEvent(410, 'Expired');
  await bench.clock.scheduled(800);
  bench.clock.advance(800);
  (await bench.server.next()).list('20', [configMap('a', '1')]);
  await record.got('deleted new:16 stale');
  assert.equal(bench.informer.get(key('new')), undefined);
});

test('[CG-111] a late response to a write does not restore an object that the watch has reported as deleted', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  watch.event('DELETED', configMap('a', '20'));
  await record.got('deleted a:20');
  bench.informer.wrote(configMap('a', '15'));
  assert.equal(bench.informer.get(key('a')), undefined);
});

test('[CG-111, CG-112] reads omit an object after an own deletion, until the watch delivers the deletion or a new object has the name', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  await record.got('synced');
  bench.informer.deleted(key('a'));
  bench.informer.deleted(key('b'), { resourceVersion: '14' });
  assert.equal(bench.informer.get(key('a')), undefined);
  assert.equal(bench.informer.size, 0);
  watch.event('MODIFIED', configMap('a', '12'));
  await record.got('modified a:12');
  assert.deepEqual(bench.informer.list(), []);
  watch.event('DELETED', configMap('a', '13')).event('ADDED', configMap('a', '15', { metadata: { uid: 'second' } }));
  await record.got('added a:15');
  assert.equal(bench.informer.get(key('a'))?.metadata.uid, 'second');
});

test('reads omit an object that a write removed immediately, and return an object during its grace period', async () => {
  await using bench = await InformerBench.start();
  const leaving = { deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
  const held = { metadata: { ...leaving, finalizers: ['example.com/wait'] } };
  const watch = await bench.listed('10', [configMap('a', '5', held), configMap('b', '6', held)]);
  bench.informer.wrote(configMap('a', '5', { metadata: leaving }));
  bench.informer.wrote(configMap('b', '12', { metadata: { ...leaving, deletionGracePeriodSeconds: 30 } }));
  assert.equal(bench.informer.get(key('a')), undefined);
  assert.equal(bench.informer.get(key('b'))?.metadata.resourceVersion, '12');
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const recreated = configMap('a', '14', { metadata: { uid: 'second' } });
  watch.event('DELETED', configMap('a', '13', { metadata: leaving })).event('ADDED', recreated);
  await record.got('added a:14');
  bench.informer.wrote(configMap('a', '5', { metadata: leaving }));
  assert.equal(bench.informer.get(key('a'))?.metadata.uid, 'second');
});

test('reads omit an own write whose labels do not match the selector', async () => {
  await using bench = await InformerBench.start({ labels: { app: 'web' } });
  await bench.listed('10', [configMap('a', '1', { metadata: { labels: { app: 'web' } } })]);
  bench.informer.wrote(configMap('a', '12', { metadata: { labels: { app: 'db' } } }));
  assert.equal(bench.informer.get(key('a')), undefined);
  assert.equal(bench.informer.size, 0);
});

test('an informer watches each namespace separately, and is synced when all namespaces are listed', async () => {
  await using bench = await InformerBench.start({ namespaces: ['one', 'two'] });
  bench.informer.start();
  const first = await bench.server.next();
  const second = await bench.server.next();
  assert.deepEqual([first.path, second.path].toSorted(), [
    '/api/v1/namespaces/one/configmaps',
    '/api/v1/namespaces/two/configmaps',
  ]);
  first.list('10', []);
  await bench.server.next();
  assert.equal(bench.informer.isSynced, false);
  assert.equal(bench.informer.resourceVersion, '');
  second.list('12', []);
  await bench.informer.synced();
  assert.equal(bench.informer.resourceVersion, '10');
  assert.equal(bench.informer.covers('three'), false);
});

test('[CG-112] after an object is recreated, reads never return an own write to the previous object', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  bench.informer.wrote(configMap('a', '15'));
  const recreated = configMap('a', '17', { metadata: { uid: 'second' } });
  watch.event('DELETED', configMap('a', '16')).event('ADDED', recreated);
  await record.got('added a:17');
  assert.equal(bench.informer.get(key('a'))?.metadata.uid, 'second');
  bench.informer.wrote(configMap('a', '15'));
  bench.informer.deleted(key('a'), { resourceVersion: '16' });
  bench.informer.deleted(key('a'), { uid: 'uid-a' });
  assert.equal(bench.informer.get(key('a'))?.metadata.uid, 'second');
  bench.informer.wrote(configMap('a', '18', { metadata: { uid: 'second' } }));
  assert.equal(bench.informer.get(key('a'))?.metadata.resourceVersion, '18');
});
