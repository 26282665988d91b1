import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiObject } from './api-object.js';
import { Bucket, keyText } from './bucket.js';

const object = (namespace: string, name: string, version: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, uid: name, creationTimestamp: '', resourceVersion: String(version) },
});
const order = (objects: Iterable<ApiObject>): readonly ApiObject[] =>
  [...objects].toSorted(({ metadata: a }, { metadata: b }) => {
    const [left, right] = [`${a.namespace}\0${a.name}`, `${b.namespace}\0${b.name}`];
    return left < right ? -1 : 1;
  });

const step = fc.record({
  namespace: fc.constantFrom('a', 'a-b', 'b'),
  name: fc.constantFrom('a', 'a-b', 'a.b', 'b', 'c'),
  deletes: fc.boolean(),
  lists: fc.boolean(),
});

test('a list has the order of namespaces and names after any sequence of writes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const bucket = new Bucket();
      const model = new Map<string, ApiObject>();
      const returned: { readonly list: readonly ApiObject[]; readonly copy: readonly ApiObject[] }[] = [];
      for (const [at, { namespace, name, deletes, lists }] of steps.entries()) {
        if (deletes) {
          bucket.delete({ namespace, name });
          model.delete(keyText({ namespace, name }));
        } else {
          const next = object(namespace, name, at);
          bucket.set(next);
          model.set(keyText({ namespace, name }), next);
        }
        if (!lists) continue;
        const list = bucket.list();
        returned.push({ list, copy: [...list] });
        assert.deepEqual(list, order(model.values()));
        const inNamespace = order(model.values()).filter(({ metadata }) => metadata.namespace === namespace);
        assert.deepEqual(bucket.list(namespace), inNamespace);
      }
      for (const { list, copy } of returned) assert.deepEqual(list, copy);
    }),
  );
});

test('listBefore returns the list before any sequence of later writes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (before, after) => {
      const bucket = new Bucket();
      const write = ({ namespace, name, deletes }: (typeof before)[number], version: number): void => {
        if (deletes) bucket.delete({ namespace, name });
        else bucket.set(object(namespace, name, version));
      };
      for (const [at, each] of before.entries()) write(each, at);
      const [all, some] = [bucket.list(), bucket.list('a')];
      const earlier = new Map<string, ApiObject | undefined>();
      for (const [at, each] of after.entries()) {
        if (!earlier.has(keyText(each))) earlier.set(keyText(each), bucket.get(each));
        write(each, before.length + at);
      }
      assert.deepEqual(bucket.listBefore(earlier), all);
      assert.deepEqual(bucket.listBefore(earlier, 'a'), some);
    }),
  );
});

test('a write after a list compares keys in a number that grows with the logarithm of the objects', () => {
  let reads = 0;
  const counted = (name: string): ApiObject => {
    const metadata = {
      namespace: 'a',
      uid: name,
      creationTimestamp: '',
      resourceVersion: '1',
      get name() {
        reads += 1;
        return name;
      },
    };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  };
  const bucket = new Bucket();
  for (let at = 0; at < 4096; at += 1) bucket.set(counted(`object-${at}`));
  bucket.list();
  reads = 0;
  bucket.set(counted('object-1000'));
  bucket.set(counted('object-new'));
  bucket.delete({ namespace: 'a', name: 'object-2000' });
  bucket.list();
  assert.ok(reads < 200, `the writes and the list read ${reads} names`);
});
