import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isAlreadyExists, isConflict, isExpired, isNotFound } from '@kubewright/api/errors';
import type { StoreEvent } from './event-log.js';
import { Store } from './store.js';

const bucket = '/configmaps';
const named = (name: string, namespace = 'default', data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, uid: name },
  data,
});
const seen = (events: readonly StoreEvent[]) => events.map((event) => `${event.type} ${event.object.metadata.name}`);

test('each write increments the global resourceVersion', () => {
  const store = new Store();
  assert.equal(store.resourceVersion, '1');
  assert.equal(store.create(bucket, named('a')).metadata.resourceVersion, '2');
  assert.equal(store.create('apps/deployments', named('a')).metadata.resourceVersion, '3');
  assert.equal(store.delete(bucket, { namespace: 'default', name: 'a' }).metadata.resourceVersion, '4');
  assert.equal(store.resourceVersion, '4');
});

test('freezes written objects deeply', () => {
  const stored = new Store().create(bucket, named('a', 'default', { k: 'v' }));
  assert.throws(() => Object.assign(stored['data'] as object, { k: 'w' }), TypeError);
});

test('rejects a create of an existing name, an update of an outdated resourceVersion and a delete of a missing object', () => {
  const store = new Store();
  store.create(bucket, named('a'));
  assert.throws(() => store.create(bucket, named('a')), isAlreadyExists);
  assert.throws(() => store.update(bucket, named('a'), { expected: '1' }), isConflict);
  assert.throws(
    () => store.delete('apps/deployments', { name: 'b' }),
    (error: unknown) => {
      assert.ok(isNotFound(error));
      assert.equal(error.message, 'deployments.apps "b" not found');
      return true;
    },
  );
});

test('sorts lists by namespace and name and restricts lists to a namespace', () => {
  const store = new Store();
  for (const [name, namespace] of [
    ['b', 'y'],
    ['a', 'y'],
    ['c', 'x'],
  ] as const)
    store.create(bucket, named(name, namespace));
  assert.deepEqual(
    store.list(bucket).map((object) => object.metadata.name),
    ['c', 'a', 'b'],
  );
  assert.deepEqual(
    store.list(bucket, { namespace: 'y' }).map((object) => object.metadata.name),
    ['a', 'b'],
  );
});

test('a list reflects the writes since the previous list, for the whole bucket and for one namespace', () => {
  const store = new Store();
  const names = (namespace?: string) => store.list(bucket, { namespace }).map(({ metadata }) => metadata.name);
  store.create(bucket, named('b'));
  const before = store.list(bucket);
  assert.equal(store.list(bucket), before, 'the list was created again');
  store.create(bucket, named('a'));
  store.create('apps/deployments', named('elsewhere'));
  assert.deepEqual([names(), names('default'), names('x')], [['a', 'b'], ['a', 'b'], []]);
  store.create(bucket, named('c', 'x'));
  assert.deepEqual([names('x'), names(), names('x')], [['c'], ['a', 'b', 'c'], ['c']]);
  const { resourceVersion } = store;
  store.update(bucket, named('a', 'default', { k: 'v' }));
  assert.deepEqual(store.list(bucket)[0]?.['data'], { k: 'v' });
  assert.deepEqual(store.rangeAt(bucket, { resourceVersion }).slice(0, 1)[0]?.['data'], {});
  store.delete(bucket, { namespace: 'default', name: 'a' });
  assert.deepEqual(names(), ['b', 'c']);
  assert.deepEqual(
    before.map(({ metadata }) => metadata.name),
    ['b'],
  );
});

test('rangeAt returns the objects at an older resourceVersion', () => {
  const store = new Store();
  store.create(bucket, named('a'));
  store.create(bucket, named('b'));
  const then = store.list(bucket);
  const { resourceVersion } = store;
  store.delete(bucket, { namespace: 'default', name: 'a' });
  store.update(bucket, named('b', 'default', { k: 'v' }));
  store.create(bucket, named('c'));
  assert.deepEqual([...store.rangeAt(bucket, { resourceVersion })], then);
  store.update(bucket, named('b'));
  assert.deepEqual([...store.rangeAt(bucket, { resourceVersion })], then);
  assert.deepEqual([...store.rangeAt(bucket, { resourceVersion, namespace: 'x' })], []);
});

test('a watch delivers the writes after its start version and then new writes, each once and in order', () => {
  const store = new Store();
  store.create(bucket, named('a'));
  const { resourceVersion } = store;
  store.create(bucket, named('b'));
  store.create(bucket, named('x', 'other'));
  const events: StoreEvent[] = [];
  const watch = store.watch(bucket, { from: resourceVersion, namespace: 'default' }, (event) => events.push(event));
  store.delete(bucket, { namespace: 'default', name: 'a' });
  watch.close();
  store.delete(bucket, { namespace: 'default', name: 'b' });
  assert.deepEqual(seen(events), ['ADDED b', 'DELETED a']);
});

test('a listener that writes in its callback receives the event of this write after the callback returns', () => {
  const store = new Store();
  const first: StoreEvent[] = [];
  const second: StoreEvent[] = [];
  store.watch(bucket, { from: '1' }, (event) => {
    if (event.object.metadata.name === 'a') store.create(bucket, named('b'));
    first.push(event);
  });
  store.watch(bucket, { from: '1' }, (event) => second.push(event));
  store.create(bucket, named('a'));
  assert.deepEqual(seen(first), ['ADDED a', 'ADDED b']);
  assert.deepEqual(seen(second), ['ADDED a', 'ADDED b']);
});

test('a watch or list from a version before the event log or a compaction fails with 410 Expired', () => {
  const store = new Store({ eventLogSize: 3 });
  for (let index = 0; index < 10; index += 1) store.create(bucket, named(`n${index}`));
  assert.throws(
    () => store.watch(bucket, { from: '7' }, () => undefined),
    (error: unknown) => {
      assert.ok(isExpired(error));
      assert.equal(error.message, 'too old resource version: 7 (8)');
      return true;
    },
  );
  const events: StoreEvent[] = [];
  store.watch(bucket, { from: '8' }, (event) => events.push(event));
  assert.equal(events.length, 3);
  store.compact(store.resourceVersion);
  assert.throws(() => store.rangeAt(bucket, { resourceVersion: '10' }), isExpired);
  store.watch(bucket, { from: store.resourceVersion }, () => undefined);
});

test('a watch or list from before the last 64 MiB of events fails with 410 Expired, and older objects are released', async () => {
  const store = new Store();
  const large = (at: number) => named('a', 'default', { k: `${at}${'x'.repeat(1_000_000)}` });
  const first = new WeakRef(store.create(bucket, large(0)));
  for (let at = 1; at < 100; at += 1) store.update(bucket, large(at));
  const last = Number(store.resourceVersion);
  assert.throws(() => store.watch(bucket, { from: String(last - 35) }, () => undefined), isExpired);
  assert.throws(() => store.rangeAt(bucket, { resourceVersion: '2' }), isExpired);
  const events: StoreEvent[] = [];
  store.watch(bucket, { from: String(last - 30) }, (event) => events.push(event));
  assert.equal(events.length, 30);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The engine keeps the target of a new WeakRef until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.equal(first.deref(), undefined);
});

test('the event log counts the memory of the object before each update', () => {
  const store = new Store();
  for (let at = 0; at < 100; at += 1) store.create(bucket, named(`n${at}`, 'default', { k: 'x'.repeat(1_000_000) }));
  store.compact(store.resourceVersion);
  for (let at = 0; at < 100; at += 1) store.update(bucket, named(`n${at}`));
  const last = Number(store.resourceVersion);
  assert.throws(() => store.watch(bucket, { from: String(last - 35) }, () => undefined), isExpired);
  const events: StoreEvent[] = [];
  store.watch(bucket, { from: String(last - 30) }, (event) => events.push(event));
  assert.equal(events.length, 30);
});

test('rejects new objects when the quota is exhausted, and accepts deletions and small updates', () => {
  const store = new Store({ storageQuotaBytes: 100_000 });
  const data = (length: number) => ({ k: 'x'.repeat(length) });
  const full = { name: 'ApiError', message: 'etcdserver: mvcc: database space exceeded' };
  for (let at = 0; at < 4; at += 1) store.create(bucket, named(`n${at}`, 'default', data(10_000)));
  assert.throws(() => store.create(bucket, named('n4', 'default', data(10_000))), full);
  store.update(bucket, named('n0', 'default', data(10_100)));
  assert.throws(() => store.update(bucket, named('n0', 'default', data(30_000))), full);
  for (let at = 0; at < 4; at += 1) store.delete(bucket, { name: `n${at}`, namespace: 'default' });
  for (let at = 0; at < 4; at += 1) store.create(bucket, named(`n${at}`, 'default', data(10_000)));
  assert.throws(() => store.create(bucket, named('n4', 'default', data(10_000))), full);
});

test('counts restored objects towards the storage quota', () => {
  const first = new Store();
  const object = first.create(bucket, named('a', 'default', { k: 'x'.repeat(40_000) }));
  const content = { version: 2, objects: [{ put: bucket, object }], entries: [] };
  const store = new Store({ storageQuotaBytes: 100_000, content });
  assert.throws(
    () => store.create(bucket, named('b', 'default', { k: 'x'.repeat(40_000) })),
    /database space exceeded/,
  );
  store.delete(bucket, { name: 'a', namespace: 'default' });
  store.create(bucket, named('b', 'default', { k: 'x'.repeat(40_000) }));
});

test('rejects objects that exceed the size limit of etcd', () => {
  const store = new Store();
  const large = (length: number) => named('a', 'default', { k: 'x'.repeat(length) });
  const tooLarge = { name: 'ApiError', message: 'etcdserver: request is too large' };
  assert.throws(() => store.create(bucket, large(1_572_864)), tooLarge);
  // Escapes and characters beyond ASCII count with their size in bytes.
  assert.throws(() => store.create(bucket, named('a', 'default', { k: '\n'.repeat(790_000) })), tooLarge);
  assert.throws(() => store.create(bucket, named('a', 'default', { k: 'ä'.repeat(790_000) })), tooLarge);
  assert.throws(() => store.create(bucket, large(2_200_000)), /rpc error: code = ResourceExhausted/);
  store.create(bucket, large(1_572_000));
  assert.throws(() => store.update(bucket, large(1_572_864)), tooLarge);
  assert.equal(store.resourceVersion, '2');
});

test('the size of an object includes the fields that the object shares with its previous version', () => {
  const store = new Store();
  const data = { a: '<é"'.repeat(250_000), b: [1, null, { c: undefined }] };
  const metadata = { name: 'a' };
  const stored = store.create('v1/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  const status = 'x'.repeat(1_200_000);
  const next = { ...stored, status };
  const bytes = Buffer.byteLength(JSON.stringify(next));
  assert.throws(() => store.update('v1/configmaps', next), { message: new RegExp(`\\(${bytes} vs\\. 2097152\\)`) });
});
