import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPieces } from './json-pieces.js';

const status = (message: string) => ({
  kind: 'Status',
  metadata: {},
  message,
  reason: undefined,
  details: { causes: [{ message }] },
});

test('writes a short response in one piece', () => {
  assert.deepEqual([...jsonPieces(status('short'))], [`${JSON.stringify(status('short'))}\n`]);
  assert.deepEqual([...jsonPieces(null)], ['null']);
  assert.deepEqual([...jsonPieces({ empty: {}, list: [1n], none: undefined })], ['{"empty":{},"list":[1]}']);
});

test('writes the message and the details of a Status with a long message in separate pieces', () => {
  const long = status('a'.repeat(100_000));
  const pieces = [...jsonPieces(long)];
  assert.equal(pieces.join(''), `${JSON.stringify(long)}\n`);
  assert.equal(pieces.filter((piece) => piece.length > 100_000).length, 2);
});

test('writes a large object in several pieces', () => {
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key"${at}`, 'value']));
  const object = { kind: 'ConfigMap', metadata: { labels: data, managedFields: [data] }, data };
  const pieces = [...jsonPieces(object)];
  assert.equal(pieces.join(''), `${JSON.stringify(object)}\n`);
  assert.ok(pieces.length > 3);
});
