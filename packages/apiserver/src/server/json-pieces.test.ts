import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodedObjects } from '../storage/encoded-objects.js';
import { Store } from '../storage/store.js';
import { jsonPieces, listPieces } from './json-pieces.js';

const textsOf = (body: unknown): readonly string[] =>
  [...jsonPieces(body, new EncodedObjects())].map((piece) => Buffer.from(piece).toString());
const status = (message: string) => ({
  kind: 'Status',
  metadata: {},
  message,
  reason: undefined,
  details: { causes: [{ message }] },
});

test('writes a short response in one piece', () => {
  assert.deepEqual(textsOf(status('short')), [`${JSON.stringify(status('short'))}\n`]);
  assert.deepEqual(textsOf(null), ['null']);
  assert.deepEqual(textsOf({ empty: {}, list: [1n], none: undefined }), ['{"empty":{},"list":[1]}']);
});

test('writes the message and the details of a Status with a long message in separate pieces', () => {
  const long = status('a'.repeat(100_000));
  const pieces = textsOf(long);
  assert.equal(pieces.join(''), `${JSON.stringify(long)}\n`);
  assert.equal(pieces.filter((piece) => piece.length > 100_000).length, 2);
});

test('writes a large object in several pieces', () => {
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key"${at}`, 'value']));
  const object = { kind: 'ConfigMap', metadata: { labels: data, managedFields: [data] }, data };
  const pieces = textsOf(object);
  assert.equal(pieces.join(''), `${JSON.stringify(object)}\n`);
  assert.ok(pieces.length > 3);
});

const configMap = (name: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default' },
  data: { text: 'é' },
});

test('writes the items of a list with or without their types', () => {
  const store = new Store();
  const stored = ['a', 'b'].map((name) => store.create('/configmaps', configMap(name)));
  const values = [...stored, { ...stored[0], apiVersion: 'v2' }];
  const { kind, apiVersion, ...rest } = stored[0] as object as ReturnType<typeof configMap>;
  const write = (itemType?: { readonly kind: string; readonly apiVersion: string }): unknown => {
    const body = { head: { kind: 'List' }, field: 'items', values, ...(itemType && { itemType }) } as const;
    return JSON.parse(Buffer.concat([...listPieces(body, store.encoded)]).toString());
  };
  assert.deepEqual(write(), { kind: 'List', items: values });
  const untyped = [rest, { ...rest, metadata: stored[1]?.metadata }, rest];
  assert.deepEqual(write({ kind, apiVersion }), { kind: 'List', items: untyped });
  assert.deepEqual(write({ kind: 'Other', apiVersion }), { kind: 'List', items: untyped });
});

test('encodes a stored object once for its responses and for all lists', () => {
  const store = new Store();
  const stored = store.create('/configmaps', configMap('a'));
  const first = store.encoded.of(stored);
  const [whole] = jsonPieces(stored, store.encoded);
  assert.equal(Buffer.from(whole ?? []).toString(), `${JSON.stringify(stored)}\n`);
  for (let list = 0; list < 3; list += 1) {
    const body = { head: {}, field: 'items', values: [stored] } as const;
    assert.equal(
      Buffer.concat([...listPieces(body, store.encoded)]).toString(),
      `{"items":[${JSON.stringify(stored)}]}\n`,
    );
  }
  assert.equal(store.encoded.known(stored), first);
});
