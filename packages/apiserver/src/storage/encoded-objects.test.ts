import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodedObjects, isStored } from './encoded-objects.js';
import { Store } from './store.js';

const bucket = '/configmaps';
const object = (name: string, text = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { text },
});

test('encodes each version of an object once', () => {
  const store = new Store();
  const first = store.create(bucket, object('a'));
  const text = store.encoded.of(first);
  assert.equal(Buffer.from(text).toString(), JSON.stringify(first));
  assert.equal(store.encoded.of(first), text);
  const second = store.update(bucket, object('a', 'changed'));
  assert.equal(Buffer.from(store.encoded.of(second)).toString(), JSON.stringify(second));
});

test('the store drops the JSON of replaced and deleted objects', () => {
  const store = new Store();
  const first = store.create(bucket, object('a'));
  store.encoded.of(first);
  const second = store.update(bucket, object('a', 'changed'));
  store.encoded.of(second);
  assert.equal(store.encoded.known(first), undefined);
  store.delete(bucket, { namespace: 'default', name: 'a' });
  assert.equal(store.encoded.known(second), undefined);
});

test('keeps the objects that were used last within the limit', () => {
  const store = new Store();
  const objects = Array.from({ length: 40 }, (_, at) => store.create(bucket, object(`a${at}`, 'x'.repeat(1000))));
  const size = JSON.stringify(objects[0]).length;
  const encoded = new EncodedObjects(20 * size);
  const used = objects[0] as (typeof objects)[number];
  for (const each of objects) {
    encoded.of(each);
    encoded.of(used);
    const kept = objects.filter((candidate) => encoded.known(candidate) !== undefined);
    assert.ok(kept.length <= 21, `the cache has ${kept.length} objects`);
    assert.ok(kept.includes(used));
    assert.ok(kept.includes(each));
  }
});

test('does not keep an object that is larger than half of the limit', () => {
  const large = new Store().create(bucket, object('a', 'x'.repeat(1000)));
  const encoded = new EncodedObjects(1000);
  assert.equal(Buffer.from(encoded.of(large)).toString(), JSON.stringify(large));
  assert.equal(encoded.known(large), undefined);
});

test('only deeply frozen objects with a resourceVersion are stored objects', () => {
  const stored = new Store().create(bucket, object('a'));
  assert.equal(isStored(stored), true);
  assert.equal(isStored({ ...stored }), false);
  assert.equal(isStored(Object.freeze(object('a'))), false);
  for (const other of [null, 'text', Object.freeze({}), Object.freeze({ metadata: null })]) {
    assert.equal(isStored(other), false);
  }
});
