import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPieces, listPieces } from './json-pieces.js';

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

const itemText = fc
  .tuple(fc.constantFrom('x', 'ä', '語', '😀', '\ud800', '"'), fc.oneof(fc.nat(300), fc.nat(40_000)))
  .map(([unit, count]) => JSON.stringify(unit.repeat(count)));

test('writes the texts of all items in their order, whatever their lengths and characters are', () => {
  fc.assert(
    fc.property(fc.array(itemText, { maxLength: 60 }), (texts) => {
      const body = { head: { kind: 'List' }, field: 'items', values: texts, text: String } as const;
      const pieces = [...listPieces(body)];
      assert.equal(
        Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString(),
        `{"kind":"List","items":[${texts.join(',')}]}\n`,
      );
      assert.ok(pieces.every(({ length }) => length > 0));
    }),
    { numRuns: 200 },
  );
});

test('writes the beginning of a list as text, and further items as bytes', () => {
  const values = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  const pieces = [...listPieces({ head: {}, field: 'items', values, text: JSON.stringify })];
  assert.deepEqual(
    pieces.map((piece) => typeof piece),
    ['string', 'string', ...pieces.slice(3).map(() => 'object'), 'string'],
  );
  const lengths = pieces.map(({ length }) => length);
  assert.ok((lengths[0] ?? 0) + (lengths[1] ?? 0) >= 128 * 1024);
  assert.ok(Math.max(...lengths) < 80 * 1024);
});
