import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finish } from '../apply/steps.js';
import { duplicateFieldsSteps } from './duplicate-fields.js';

const duplicateFields = (json: string): readonly string[] => finish(duplicateFieldsSteps(json));

test('duplicateFieldsSteps returns the path of a repeated field once, at any depth', () => {
  const json = '{"a":{"b":1,"b":2,"b":3},"l":[{"x":1},{"x":1,"x":2}],"a":0,"\\u0061":1}';
  assert.deepEqual(duplicateFields(json), ['a.b', 'l[1].x', 'a']);
});

test('duplicateFieldsSteps does not report strings, or equal names in different objects', () => {
  const json = '{"a":"{\\"a\\":1,\\"a\\":2}","b":{"a":"b"},"c":[["a","a"],{"a":[]},{"a":{}}],"":"\\\\"}';
  assert.deepEqual(duplicateFields(json), []);
});

test('duplicateFieldsSteps finds no repeated fields in the output of JSON.stringify', () => {
  fc.assert(fc.property(fc.json(), (json) => duplicateFields(JSON.stringify(JSON.parse(json))).length === 0));
});
