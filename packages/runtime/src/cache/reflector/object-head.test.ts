import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readObjectHead } from './object-head.js';

const head = (value: unknown): ReturnType<typeof readObjectHead> => readObjectHead(Buffer.from(JSON.stringify(value)));

test('reads the name and the version of a list item and of a watch event', () => {
  const metadata = { name: 'one', namespace: 'a', uid: 'u1', resourceVersion: '7', labels: { name: 'other' } };
  const expected = { name: 'one', resourceVersion: '7' };
  assert.deepEqual(head({ metadata, data: {} }), expected);
  assert.deepEqual(head({ kind: 'Secret', apiVersion: 'v1', metadata, data: {} }), expected);
  for (const type of ['ADDED', 'MODIFIED', 'DELETED']) {
    assert.deepEqual(head({ type, object: { kind: 'Secret', apiVersion: 'v1', metadata } }), expected);
  }
});

test('returns undefined for an object whose first fields do not contain a plain name and version', () => {
  const metadata = { name: 'one', resourceVersion: '7' };
  const others: readonly unknown[] = [
    { data: {}, metadata },
    { metadata: { labels: { name: 'other' }, ...metadata } },
    { metadata: { name: 'é', resourceVersion: '7' } },
    { metadata: { name: 'a"b', resourceVersion: '7' } },
    { metadata: { name: 'one' } },
    { spec: { metadata } },
    { type: 'BOOKMARK', object: { kind: 'Secret', apiVersion: 'v1', metadata } },
    { type: 'ERROR', object: { kind: 'Status', metadata } },
    [metadata],
    'text',
  ];
  for (const each of others) assert.equal(head(each), undefined, JSON.stringify(each));
});

test('returns undefined, or the same name and version as a JSON parser, for any content of the object', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('"metadata":{"name":"x","resourceVersion":"1"', '","resourceVersion":"2"', '{"metadata":{"name":"'),
  );
  const metadata = fc.record(
    {
      name: text,
      generateName: text,
      uid: text,
      resourceVersion: text,
      generation: fc.nat(),
      labels: fc.dictionary(text, text),
    },
    { requiredKeys: [] },
  );
  const object = fc.record(
    { kind: text, apiVersion: text, metadata, data: fc.dictionary(text, text) },
    { requiredKeys: [] },
  );
  const ordered = object.chain((value) =>
    fc.shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length }).map(Object.fromEntries),
  );
  fc.assert(
    fc.property(ordered, fc.boolean(), (value: { metadata?: { name?: string; resourceVersion?: string } }, isEvent) => {
      const found = head(isEvent ? { type: 'ADDED', object: value } : value);
      if (found === undefined) return;
      assert.deepEqual(found, { name: value.metadata?.name, resourceVersion: value.metadata?.resourceVersion });
    }),
    { numRuns: 2000 },
  );
});
