import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from './structural-schema.js';
import { validateUpdate } from './validate-update.js';

const item: StructuralSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 5 } },
};
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 3 },
        other: { type: 'string' },
        list: { type: 'array', items: item },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: item,
        },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'integer', maximum: 5 } },
      },
    },
  },
};

function fields(next: object, old: object): readonly string[] {
  return validateUpdate({ spec: next }, { spec: old }, { schema, authored: schema }).map(({ field }) => field);
}

test('validateUpdate ignores an error in an unchanged value', () => {
  assert.deepEqual(fields({ name: 'long name', other: 'a' }, { name: 'long name' }), []);
  assert.deepEqual(fields({ name: 'longer name' }, { name: 'long name' }), ['spec.name']);
});

test('validateUpdate reports a missing required field if another field of the object changes', () => {
  assert.deepEqual(fields({ other: 'a' }, { other: 'a' }), []);
  assert.deepEqual(fields({ other: 'b' }, { other: 'a' }), ['spec.name']);
});

test('validateUpdate matches list items by their keys, and does not match items without keys', () => {
  const bad = { name: 'x', size: 9 };
  const good = { name: 'y', size: 1 };
  assert.deepEqual(fields({ name: 'a', keyed: [good, bad] }, { name: 'a', keyed: [bad] }), []);
  assert.deepEqual(fields({ name: 'a', list: [good, bad] }, { name: 'a', list: [bad] }), ['spec.list[1].size']);
  assert.deepEqual(fields({ name: 'a', other: 'b', list: [bad] }, { name: 'a', list: [bad] }), []);
});

test('validateUpdate matches map values by their keys, including keys that look like paths', () => {
  assert.deepEqual(fields({ name: 'a', map: { 'x.y[0]': 9, x: 1 } }, { name: 'a', map: { 'x.y[0]': 9 } }), []);
  assert.deepEqual(fields({ name: 'a', map: { 'x.y[0]': 8 } }, { name: 'a', map: { 'x.y[0]': 9 } }), [
    'spec.map.x.y[0]',
  ]);
});

test('validateUpdate reports duplicates only if the old list has no duplicates', () => {
  assert.deepEqual(fields({ name: 'a', set: ['x', 'x', 'y'] }, { name: 'a', set: ['x', 'x'] }), []);
  assert.deepEqual(fields({ name: 'a', set: ['x', 'x'] }, { name: 'a', set: ['x'] }), ['spec.set[1]']);
});

test('validateUpdate evaluates oneOf and allOf only for changed values', () => {
  const either: StructuralSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          choice: {
            type: 'object',
            properties: { a: { type: 'string' }, b: { type: 'string' } },
            oneOf: [{ required: ['a'] }, { required: ['b'] }],
            allOf: [{ properties: { a: { maxLength: 1 } } }],
          },
          other: { type: 'string' },
        },
      },
    },
  };
  const update = (choice: object, old: object): number =>
    validateUpdate({ spec: { choice, other: 'new' } }, { spec: { choice: old } }, { schema: either, authored: either })
      .length;
  const both = { a: 'long', b: 'b' };
  assert.equal(update(both, { ...both }), 0);
  assert.ok(update({ ...both, b: 'c' }, both) > 0);
});
