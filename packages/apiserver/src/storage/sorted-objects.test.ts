import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiObject } from './api-object.js';
import { SortedObjects } from './sorted-objects.js';

const object = (namespace: string | undefined, name: string, version: number): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, uid: name, creationTimestamp: '', resourceVersion: String(version) } as never,
});
const text = ({ metadata }: ApiObject) => `${metadata.namespace ?? ''}\0${metadata.name}`;
const sorted = (objects: Iterable<ApiObject>): readonly ApiObject[] =>
  [...objects].toSorted((a, b) => (text(a) < text(b) ? -1 : 1));

/** Names whose order by UTF-16 units differs from the order of their keys as one text. */
const names = ['a', 'a-b', 'a.b', 'b', 'c'];
const step = fc.record({
  namespace: fc.constantFrom(undefined, 'a', 'a-b', 'b'),
  name: fc.oneof(fc.constantFrom(...names), fc.integer({ min: 0, max: 3000 }).map(String)),
  deletes: fc.boolean(),
  reads: fc.boolean(),
});
/** Writes before the steps, so that the objects need several chunks. */
const first = fc.constantFrom(0, 600, 2000);

test('ranges have the order of namespaces and names after any writes, and later writes do not change them', () => {
  fc.assert(
    fc.property(first, fc.array(step, { maxLength: 60 }), (count, steps) => {
      const objects = SortedObjects.empty();
      const model = new Map<string, ApiObject>();
      const returned: { readonly range: Iterable<ApiObject>; readonly expected: readonly ApiObject[] }[] = [];
      const write = (next: ApiObject, deletes: boolean): void => {
        if (deletes) objects.delete(next.metadata);
        else objects.set(next);
        if (deletes) model.delete(text(next));
        else model.set(text(next), next);
      };
      // The factor leaves no common divisor with the count, so that the objects arrive in another order.
      for (let at = 0; at < count; at += 1) write(object('a', String((at * 7) % 3001), at), false);
      for (const [at, { namespace, name, deletes, reads }] of steps.entries()) {
        write(object(namespace, name, at), deletes);
        assert.equal(objects.get({ namespace, name }), model.get(text(object(namespace, name, at))));
        if (!reads) continue;
        const expected = sorted(model.values());
        const range = objects.range();
        const inNamespace = expected.filter(({ metadata }) => (metadata.namespace ?? '') === (namespace ?? ''));
        returned.push({ range, expected }, { range: objects.range(namespace ?? ''), expected: inNamespace });
        const rest = expected.filter((each) => text(each) >= `${namespace ?? ''}\0${name}`);
        const from = range.from({ namespace, name });
        assert.equal(from.length, rest.length);
        assert.deepEqual(from.slice(0, 3), rest.slice(0, 3));
        assert.deepEqual([...from], rest);
        assert.equal(objects.size, expected.length);
      }
      for (const { range, expected } of returned) assert.deepEqual([...range], expected);
    }),
    { numRuns: 60 },
  );
});

test('the writes to a copy and to its original do not change each other', () => {
  const original = SortedObjects.empty();
  for (let at = 0; at < 1500; at += 1) original.set(object('a', String(at), at));
  const copy = original.copy();
  copy.delete({ namespace: 'a', name: '7' });
  copy.set(object('a', '8', 2000));
  original.set(object('a', '9', 2001));
  original.delete({ namespace: 'a', name: '10' });
  const versions = (objects: SortedObjects) =>
    ['7', '8', '9', '10'].map((name) => objects.get({ namespace: 'a', name })?.metadata.resourceVersion);
  assert.deepEqual(versions(original), ['7', '8', '2001', undefined]);
  assert.deepEqual(versions(copy), [undefined, '2000', '9', '10']);
});

/** Returns objects that count how often their names are read. */
function counted(count: number): { readonly objects: SortedObjects; readonly reads: () => number } {
  let reads = 0;
  const objects = SortedObjects.empty();
  for (let at = 0; at < count; at += 1) {
    const name = `object-${at}`;
    const each = object('a', name, at);
    Object.defineProperty(each.metadata, 'name', { get: () => ((reads += 1), name) });
    objects.set(each);
  }
  return { objects, reads: () => reads };
}

test('a page and a write read a number of names that grows with the logarithm of the number of objects', () => {
  const costOf = (count: number): number => {
    const { objects, reads } = counted(count);
    const before = reads();
    const page = objects.range('a').from({ namespace: 'a', name: 'object-5' });
    assert.equal(page.slice(0, 10).length, 10);
    objects.set(object('a', 'object-new', 0));
    objects.delete({ namespace: 'a', name: 'object-10' });
    objects.range();
    return reads() - before;
  };
  const [few, many] = [costOf(1000), costOf(64_000)];
  assert.ok(many < 3 * few, `${few} reads with 1,000 objects, ${many} with 64,000`);
});
