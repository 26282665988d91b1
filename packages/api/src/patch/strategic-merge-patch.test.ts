import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { PatchError } from './patch-error.js';
import { applyStrategicMergePatch } from './strategic-merge-patch.js';

const item: StructuralSchema = { type: 'object', properties: { name: { type: 'string' }, image: { type: 'string' } } };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      items: item,
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    },
    finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
    args: { type: 'array', items: { type: 'string' } },
    strategy: { type: 'object', 'x-kubernetes-patch-strategy': 'retainKeys' },
    whole: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
  },
};
const a = { name: 'a', image: 'one' };
const b = { name: 'b', image: 'one' };

const cases: readonly [name: string, document: object, patch: object, expected: object][] = [
  [
    'merges maps and removes fields that are null',
    { m: { x: 1, y: 2 } },
    { m: { x: null, z: 3 } },
    { m: { y: 2, z: 3 } },
  ],
  ['replaces a list without a patch strategy', { args: ['1'] }, { args: ['2'] }, { args: ['2'] }],
  [
    'merges items by their merge key and appends new items',
    { containers: [a, b] },
    { containers: [{ name: 'b', image: 'two' }, { name: 'c' }] },
    { containers: [a, { name: 'b', image: 'two' }, { name: 'c' }] },
  ],
  [
    'removes an item with $patch: delete',
    { containers: [a, b] },
    { containers: [{ name: 'a', $patch: 'delete' }] },
    { containers: [b] },
  ],
  [
    'replaces a list with $patch: replace',
    { containers: [a, b] },
    { containers: [{ $patch: 'replace' }, { name: 'c' }] },
    { containers: [{ name: 'c' }] },
  ],
  ['replaces a map with $patch: replace', { m: { x: 1 } }, { m: { $patch: 'replace', y: 2 } }, { m: { y: 2 } }],
  [
    'adds each primitive value of a merged list once',
    { finalizers: ['x'] },
    { finalizers: ['x', 'y'] },
    { finalizers: ['x', 'y'] },
  ],
  [
    'removes values with $deleteFromPrimitiveList',
    { finalizers: ['x', 'y'] },
    { '$deleteFromPrimitiveList/finalizers': ['x'] },
    { finalizers: ['y'] },
  ],
  [
    'orders the items of $setElementOrder and keeps the positions of other items',
    { containers: [a, b, { name: 'other' }] },
    { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'a', image: 'two' }] },
    { containers: [b, { name: 'a', image: 'two' }, { name: 'other' }] },
  ],
  [
    'removes keys that $retainKeys does not list',
    { strategy: { type: 'x', rolling: {} } },
    { strategy: { $retainKeys: ['type'], type: 'y' } },
    { strategy: { type: 'y' } },
  ],
  [
    'creates a missing list without nulls and without items with $patch: delete',
    {},
    {
      containers: [
        { image: 'x', tag: null },
        { name: 'b', $patch: 'delete' },
      ],
    },
    { containers: [{ image: 'x' }] },
  ],
  ['replaces a map with the patch strategy replace', { whole: { x: 1 } }, { whole: { y: 2 } }, { whole: { y: 2 } }],
];

for (const [name, document, patch, expected] of cases) {
  test(`a strategic merge patch ${name}`, () =>
    assert.deepEqual(applyStrategicMergePatch(document, patch, schema), expected));
}

test('a strategic merge patch does not modify the document', () => {
  const document = Object.freeze({ containers: Object.freeze([Object.freeze({ ...a })]) });
  applyStrategicMergePatch(document, { containers: [{ name: 'a', image: 'two' }] }, schema);
  assert.deepEqual(document, { containers: [a] });
});

test('a strategic merge patch rejects items without a merge key, and unknown directives', () => {
  const unkeyed = { containers: [{ image: 'x' }] };
  assert.throws(() => applyStrategicMergePatch({ containers: [a] }, unkeyed, schema), PatchError);
  assert.throws(() => applyStrategicMergePatch({ m: { a: 1 } }, { m: { $patch: 'explode' } }, schema), PatchError);
});
