import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '@kubewright/apiserver';
import { StoredObjects } from './stored-objects.js';

const BUCKET = '/configmaps';

function configMap(name: string, size = '1') {
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { size } };
}

/** Returns a store with the objects a, b and c, and changes of all three after the returned content. */
function changed() {
  const store = new Store();
  for (const name of ['a', 'b']) store.create(BUCKET, configMap(name));
  const objects = new StoredObjects(store);
  const content = objects.content();
  store.update(BUCKET, configMap('a', '2'));
  store.delete(BUCKET, { namespace: 'default', name: 'b' });
  store.create(BUCKET, configMap('c'));
  return { store, objects, content };
}

function sizes(objects: StoredObjects): readonly (readonly [name: string, size: unknown])[] {
  return objects.all
    .map(
      (object) =>
        [object.metadata.name, (object as unknown as { readonly data: { readonly size: string } }).data.size] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

test('StoredObjects contains the current objects, and counts the writes', () => {
  const { objects, store } = changed();
  assert.deepEqual(sizes(objects), [
    ['a', '2'],
    ['c', '1'],
  ]);
  const before = objects.changes;
  const { metadata } = configMap('e');
  store.create('/events', { apiVersion: 'v1', kind: 'Event', metadata });
  assert.equal(objects.changes, before, 'an event does not count');
  store.create(BUCKET, configMap('d'));
  assert.equal(objects.changes, before + 1);
});

test('StoredObjects reads all objects if the store no longer has the writes', () => {
  const { objects, store } = changed();
  store.compact(store.resourceVersion);
  assert.deepEqual(sizes(objects), [
    ['a', '2'],
    ['c', '1'],
  ]);
});

test('restore creates, updates and deletes the objects that differ, with their uids', () => {
  const { objects, store, content } = changed();
  const events: string[] = [];
  store.watch(BUCKET, { from: store.resourceVersion }, ({ type, object }) => {
    events.push(`${type} ${object.metadata.name} ${object.metadata.uid}`);
  });
  objects.restore(content, () => false);
  assert.deepEqual(sizes(objects), [
    ['a', '1'],
    ['b', '1'],
  ]);
  assert.deepEqual(events.toSorted(), ['ADDED b uid-b', 'DELETED c uid-c', 'MODIFIED a uid-a']);
  objects.restore(content, () => false);
  assert.equal(events.length, 3, 'the second call writes nothing');
});

test('restore replaces an object with another uid, and keeps objects for which isKept returns true', () => {
  const { objects, store, content } = changed();
  store.create(BUCKET, { ...configMap('b'), metadata: { ...configMap('b').metadata, uid: 'another' } });
  objects.restore(content, (_key, { metadata }) => metadata.name === 'c');
  assert.equal(store.get(BUCKET, { namespace: 'default', name: 'b' })?.metadata.uid, 'uid-b');
  assert.notEqual(store.get(BUCKET, { namespace: 'default', name: 'c' }), undefined);
});
