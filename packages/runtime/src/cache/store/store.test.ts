import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { configMap } from '../../test-support/reflector-bench.js';
import { deepFreeze } from '@kubewright/api';
import { index } from './index-declaration.js';
import { formatKey, keyOf, parseKey } from './object-key.js';
import { Store } from './store.js';

class ConfigMap {
  declare readonly apiVersion: string;
  declare readonly kind: string;
  declare readonly metadata: KubeObject['metadata'];
}
const kind: KindRef = ConfigMap;
const labelled = (name: string, version: string, labels: Record<string, string>) =>
  configMap(name, version, { metadata: { labels } });
const byTeam = index(kind, 'team', (object) => object.metadata.labels?.team?.split('.'));
const newStore = (): Store<KubeObject> => new Store<KubeObject>((error) => assert.fail(String(error)));
const names = (objects: Iterable<KubeObject> | undefined): string[] =>
  [...(objects ?? [])].map((object) => object.metadata.name).toSorted();
const hasCode = (code: string) => (error: unknown) => error instanceof KubewrightError && error.code === code;

test('[CG-075] adds, changes, reads, lists, deletes and replaces objects by key', () => {
  const store = newStore();
  const a1 = configMap('a', '1');
  const a2 = configMap('a', '2');
  assert.deepEqual(store.put(a1), [{ type: 'added', object: a1, initial: false }]);
  assert.deepEqual(store.put(a2), [{ type: 'modified', object: a2, old: a1 }]);
  assert.equal(store.get({ namespace: 'default', name: 'a' }), a2);
  assert.equal(store.get({ namespace: 'other', name: 'a' }), undefined);
  const a3 = configMap('a', '3');
  assert.deepEqual(store.remove(a3.metadata, a3), [{ type: 'deleted', object: a3, stale: false }]);
  assert.deepEqual(store.remove(a3.metadata, a3), []);
  assert.equal(store.size, 0);
  store.put(configMap('b', '4'));
  store.replace([configMap('c', '5'), configMap('d', '6')], { initial: false });
  assert.deepEqual(names(store.list()), ['c', 'd']);
  assert.equal(store.size, 2);
});

test('a replacement reports deleted objects with their last state, and changed and new objects, but not equal objects', () => {
  const store = newStore();
  const [same, old, deleted] = [configMap('same', '1'), configMap('changed', '2'), configMap('gone', '3')];
  for (const object of [same, old, deleted]) store.put(object);
  const [changed, added] = [configMap('changed', '4'), configMap('new', '5')];
  assert.deepEqual(store.replace([configMap('same', '1'), changed, added], { initial: false }), [
    { type: 'deleted', object: deleted, stale: true },
    { type: 'modified', object: changed, old },
    { type: 'added', object: added, initial: false },
  ]);
  assert.equal(store.get(same.metadata), same);
});

test('reports an object that was recreated with the same name as a deletion and an addition', () => {
  const store = newStore();
  const [first, second] = [configMap('a', '1'), configMap('a', '5', { metadata: { uid: 'another' } })];
  store.put(first);
  assert.deepEqual(store.put(second), [
    { type: 'deleted', object: first, stale: true },
    { type: 'added', object: second, initial: false },
  ]);
});

test('replacing the objects of one namespace does not affect other namespaces', () => {
  const store = newStore();
  store.put(configMap('a', '1'));
  store.put(configMap('b', '2', { metadata: { namespace: 'other' } }));
  store.replace([], { covers: (namespace) => namespace === 'default', initial: false });
  assert.deepEqual(names(store.list()), ['b']);
});

test('[CG-076] an index contains an object under each of its values, and a changed object under its new values', () => {
  const store = newStore();
  store.addIndex(byTeam);
  store.put(labelled('a', '1', { team: 'red.blue' }));
  store.put(labelled('b', '2', { team: 'red' }));
  store.put(configMap('c', '3'));
  assert.deepEqual(names(store.index('team').get('red')), ['a', 'b']);
  assert.deepEqual(names(store.index('team').get('blue')), ['a']);
  store.put(labelled('a', '4', { team: 'green' }));
  assert.deepEqual(names(store.index('team').get('red')), ['b']);
  assert.equal(store.index('team').get('blue'), undefined);
  assert.deepEqual([...(store.index('team').get('green') ?? [])], [labelled('a', '4', { team: 'green' })]);
});

test('[CG-077][CG-078] removes index values without objects and keeps the other values', () => {
  const store = newStore();
  store.addIndex(byTeam);
  store.put(labelled('a', '1', { team: 'red.blue' }));
  store.put(labelled('b', '2', { team: 'red' }));
  store.remove(configMap('a', '3').metadata);
  assert.deepEqual(store.index('team').keys(), ['red']);
  assert.deepEqual(names(store.index('team').get('red')), ['b']);
});

test('[CG-079] lists the values of an index', () => {
  const store = newStore();
  store.addIndex(byTeam);
  store.put(labelled('a', '1', { team: 'red.blue' }));
  assert.deepEqual(store.index('team').keys(), ['red', 'blue']);
});

test('[CG-080] accepts an index before or after objects are added, and rejects another index with the same name', () => {
  const store = newStore();
  store.put(labelled('a', '1', { team: 'red' }));
  store.addIndex(byTeam);
  store.put(labelled('b', '2', { team: 'red' }));
  assert.deepEqual(names(store.index('team').get('red')), ['a', 'b']);
  store.addIndex(index(kind, 'team', (object) => object.metadata.labels?.team?.split('.')));
  assert.throws(() => store.addIndex(index(kind, 'team', () => 'x')), hasCode('INDEX_EXISTS'));
  assert.throws(() => store.index('unheard-of'), hasCode('UNKNOWN_INDEX'));
});

test('removeIndex stops calls of the index function and releases the name, and does not remove another index of the same name', () => {
  const store = newStore();
  let requested = 0;
  const counted = index(kind, 'counted', () => String((requested += 1)));
  store.addIndex(counted);
  store.put(configMap('a', '1'));
  store.removeIndex(index(kind, 'counted', () => 'another'));
  assert.deepEqual(store.index('counted').keys(), ['1']);
  store.removeIndex(counted);
  store.removeIndex(counted);
  store.put(configMap('b', '2'));
  assert.equal(requested, 1);
  assert.throws(() => store.index('counted'), hasCode('UNKNOWN_INDEX'));
  store.addIndex(index(kind, 'counted', () => 'another'));
});

test('stores and reports an object for which the index function throws', () => {
  const failures: unknown[] = [];
  const store = new Store<KubeObject>((error) => failures.push(error));
  store.addIndex(index(kind, 'broken', (object) => object.metadata.labels?.['x']?.repeat(-1)));
  store.put(labelled('a', '1', { x: 'y' }));
  assert.equal(store.size, 1);
  assert.equal(failures.length, 1);
});

test('[CG-081] the error for an object without a name contains the namespace of the object', () => {
  assert.throws(() => keyOf({ metadata: { namespace: 'lost' } }), /lost/);
});

test('[CG-082] formats and parses keys as name or namespace/name, and rejects other formats', () => {
  assert.equal(formatKey({ namespace: 'a', name: 'b' }), 'a/b');
  assert.equal(formatKey({ name: 'b' }), 'b');
  assert.deepEqual(parseKey('a/b'), { namespace: 'a', name: 'b' });
  assert.deepEqual(parseKey('b'), { name: 'b' });
  for (const text of ['a/b/c', '', '/b', 'a/']) assert.throws(() => parseKey(text), hasCode('INVALID_KEY'));
});

test('[CG-109] a change of a cached object throws an error at every depth', () => {
  const object = deepFreeze(configMap('a', '1', { data: { list: [{ deep: 1 }] } })) as unknown as {
    metadata: { name: string };
    data: { list: { deep: number }[] };
  };
  assert.throws(() => {
    object.metadata.name = 'b';
  }, TypeError);
  assert.throws(() => object.data.list.push({ deep: 2 }), TypeError);
  assert.throws(() => {
    (object.data.list[0] as { deep: number }).deep = 2;
  }, TypeError);
});
