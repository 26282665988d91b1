import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { rootAtom } from './atom.js';
import { mergeValues } from './merge-values.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    list: { type: 'array', items: { type: 'string' } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        properties: {
          port: { type: 'integer' },
          protocol: { type: 'string', default: 'TCP' },
          name: { type: 'string' },
        },
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    either: { 'x-kubernetes-int-or-string': true },
  },
};
const atom = rootAtom(schema);
const merge = (live: unknown, applied: unknown) => mergeValues(live, applied, atom);

describe('the order of a merged list', () => {
  const orders: readonly (readonly [string, string, string])[] = [
    ['abc', 'ab', 'abc'],
    ['ab', 'abc', 'abc'],
    ['abc', '', 'abc'],
    ['', 'abc', 'abc'],
    ['ab', 'ba', 'ba'],
    ['abc', 'def', 'abcdef'],
    ['abc', 'cdef', 'abcdef'],
    ['abcgf', 'cdef', 'abcgdef'],
    ['cdef', 'ace', 'acdef'],
    ['abcxyz', 'def', 'abcxyzdef'],
    ['abcxyz', 'defxyz', 'abcdefxyz'],
    ['cagf', 'cfag', 'cfag'],
    ['abcd', 'defa', 'bcdefa'],
    ['cdefghij', '2h3e4kl', 'cdfg2hij3e4kl'],
    ['abcdefghij', '1b2h3e4kl', 'a1bcdfg2hij3e4kl'],
    ['abb', 'c', 'abbc'],
    ['abb', 'b', 'ab'],
    ['abb', 'a', 'abb'],
    ['abcdec', '1b2ed', 'a1bc2ecd'],
    ['abcdec', '1b2ced', 'a1b2ced'],
    ['aabb', 'bcd', 'aabcd'],
    ['aabb', '', 'aabb'],
  ];
  for (const [live, applied, expected] of orders) {
    test(`applying ${JSON.stringify(applied)} to ${JSON.stringify(live)} results in ${expected}`, () => {
      assert.deepEqual(merge({ set: [...live] }, { set: [...applied] }), { set: [...expected] });
    });
  }

  test('a merged list keeps the order of the applied list, and contains each item exactly once', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });
    fc.assert(
      fc.property(letters, letters, (live, applied) => {
        const { set } = merge({ set: live }, { set: applied }) as { set: string[] };
        assert.deepEqual(
          set.filter((item) => applied.includes(item)),
          applied,
        );
        const onlyLive = live.filter((item) => !applied.includes(item));
        assert.deepEqual(
          set.filter((item) => !applied.includes(item)),
          onlyLive,
        );
        assert.equal(set.length, applied.length + onlyLive.length);
        assert.deepEqual(merge({ set }, { set: applied }), { set });
      }),
    );
  });
});

describe('mergeValues', () => {
  const cases: readonly (readonly [string, unknown, unknown, unknown])[] = [
    ['replaces an atomic list', { list: ['a', 'b'] }, { list: ['c'] }, { list: ['c'] }],
    ['replaces an atomic map', { whole: { a: '1' } }, { whole: { b: '2' } }, { whole: { b: '2' } }],
    ['merges a granular map', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
    [
      'finds an item by its keys, including a key with its default value',
      { ports: [{ port: 80, protocol: 'TCP', name: 'a' }] },
      { ports: [{ port: 80, name: 'b' }] },
      { ports: [{ port: 80, protocol: 'TCP', name: 'b' }] },
    ],
    [
      'treats an item with a different key as a different item',
      { ports: [{ port: 80, protocol: 'UDP' }] },
      { ports: [{ port: 80 }] },
      { ports: [{ port: 80, protocol: 'UDP' }, { port: 80 }] },
    ],
    [
      'merges maps and replaces lists below preserve-unknown-fields',
      { open: { a: { b: 1 }, l: [1] } },
      { open: { a: { c: 2 }, l: [2] } },
      { open: { a: { b: 1, c: 2 }, l: [2] } },
    ],
    ['replaces an int-or-string value as a scalar', { either: 1 }, { either: '50%' }, { either: '50%' }],
    ['keeps an empty map', { labels: {} }, { labels: {} }, { labels: {} }],
    [
      'merges finalizers and owner references of the metadata regardless of the schema',
      { metadata: { finalizers: ['a'], ownerReferences: [{ uid: '1', name: 'x' }] } },
      { metadata: { finalizers: ['b'], ownerReferences: [{ uid: '2', name: 'y' }] } },
      {
        metadata: {
          finalizers: ['a', 'b'],
          ownerReferences: [
            { uid: '1', name: 'x' },
            { uid: '2', name: 'y' },
          ],
        },
      },
    ],
  ];
  for (const [what, live, applied, expected] of cases) {
    test(what, () => assert.deepEqual(merge(live, applied), expected));
  }
});
