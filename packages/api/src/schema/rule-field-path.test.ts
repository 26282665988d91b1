import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleFieldPath } from './rule-field-path.js';
import type { StructuralSchema } from './structural-schema.js';

const text: StructuralSchema = { type: 'string' };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { b: text, 'c-d': text, "it's": text } },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { x: text } } },
    list: { type: 'array', items: text },
  },
};

const paths: readonly (readonly [string, string | undefined])[] = [
  ['.a', 'a'],
  ['.a.b', 'a.b'],
  [".a['c-d']", 'a.c-d'],
  [".a['it\\'s']", "a.it's"],
  [".map['k.v'].x", 'map[k.v].x'],
  ['.map.k.x', 'map[k].x'],
  ['a', undefined],
  ['.a.z', undefined],
  ['.a[b]', undefined],
  [".a['b'", undefined],
  ['.list[0]', undefined],
  ['.a..b', undefined],
  ['.', undefined],
];

for (const [path, expected] of paths) {
  test(`the fieldPath ${path} ${expected === undefined ? 'is not a path of the schema' : `selects ${expected}`}`, () => {
    assert.equal(ruleFieldPath(path, schema), expected);
  });
}
