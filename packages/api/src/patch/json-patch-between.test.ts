import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deepEqual } from './deep-equal.js';
import { applyJsonPatch } from './json-patch.js';
import { jsonPatchBetween } from './json-patch-between.js';

test('jsonPatchBetween returns an empty patch for equal values, regardless of undefined properties and the order of keys', () => {
  assert.deepEqual(jsonPatchBetween({ a: 1, b: { c: [1] } }, { b: { c: [1], d: undefined }, a: 1 }), []);
});

test('jsonPatchBetween returns operations only for the fields that differ', () => {
  const same = { text: 'a text that is longer than all of the changes of the object together'.repeat(4) };
  const before = {
    metadata: { labels: { 'a/b': 'x' }, same },
    spec: {
      same,
      image: 'a',
      ports: [
        { n: 1, same },
        { n: 2, same },
      ],
      old: true,
    },
  };
  const after = {
    metadata: { labels: { 'a/b': 'y', 'c~d': 'z' }, same },
    spec: { same, image: 'a', ports: [{ n: 1, same }, { n: 3, same }, { n: 4 }], old: undefined },
  };
  assert.deepEqual(jsonPatchBetween(before, after), [
    { op: 'replace', path: '/metadata/labels', value: { 'a/b': 'y', 'c~d': 'z' } },
    { op: 'replace', path: '/spec/ports/1/n', value: 3 },
    { op: 'add', path: '/spec/ports/2', value: { n: 4 } },
    { op: 'remove', path: '/spec/old' },
  ]);
});

test('jsonPatchBetween escapes slashes and tildes in paths', () => {
  const same = 'a text that is longer than the change';
  assert.deepEqual(jsonPatchBetween({ a: { 'b/c': 1, 'd~e': 1, same } }, { a: { 'b/c': 2, same } }), [
    { op: 'replace', path: '/a/b~1c', value: 2 },
    { op: 'remove', path: '/a/d~0e' },
  ]);
});

test('jsonPatchBetween inserts or removes an item in the middle of a list without changing the other items', () => {
  const items = ['one', 'two', 'three'].map((name) => ({ name, command: 'a command that is long' }));
  const [first, , third] = items;
  assert.deepEqual(jsonPatchBetween(items, [first, third]), [{ op: 'remove', path: '/1' }]);
  assert.deepEqual(jsonPatchBetween([first, third], items), [{ op: 'add', path: '/1', value: items[1] }]);
});

test('jsonPatchBetween replaces a whole value if the replacement is shorter than the separate changes', () => {
  const before = { spec: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, at])) };
  assert.deepEqual(jsonPatchBetween(before, { spec: { a: 1 } }), [{ op: 'replace', path: '/spec', value: { a: 1 } }]);
  assert.deepEqual(jsonPatchBetween({ a: [1] }, { a: { 0: 1 } }), [{ op: 'replace', path: '/a', value: { 0: 1 } }]);
});

test('applying the patch of jsonPatchBetween to the first value results in the second value', () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(value, value, (before, after) => {
      const [from, to] = [{ spec: before }, { spec: after }];
      const patched = applyJsonPatch(from, jsonPatchBetween(from, to));
      assert.ok(deepEqual(patched, to), JSON.stringify(patched));
    }),
    { numRuns: 300 },
  );
});
