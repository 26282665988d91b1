import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '../../apply/steps.js';
import { fieldErrors } from '../../schema/field-errors.js';
import type { StructuralSchema } from '../../schema/structural-schema.js';
import { defaultRuleErrors } from './default-rule-errors.js';

const text: StructuralSchema = { type: 'string' };
const within = (spec: StructuralSchema): StructuralSchema => ({ type: 'object', properties: { spec } });
const needsA: StructuralSchema = {
  type: 'object',
  properties: { a: text },
  default: {},
  'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'a is needed' }],
};
const texts = (schema: StructuralSchema): readonly string[] =>
  finish(defaultRuleErrors(schema, 's')).map(({ field, message }) => `${field}: ${message}`);

test('defaultRuleErrors reports the path of a default that violates a rule', () => {
  assert.deepEqual(texts(within(needsA)), ['s.properties[spec].default: Invalid value: a is needed']);
  assert.deepEqual(texts(within({ type: 'array', items: needsA })), [
    's.properties[spec].items.default: Invalid value: a is needed',
  ]);
});

test('defaultRuleErrors reports neither a valid default nor a default for which an earlier check found an error', () => {
  assert.deepEqual(texts(within({ ...needsA, default: { a: 'x' } })), []);
  const others = [fieldErrors.invalid('s.properties[spec].default', {}, 'must not have unknown fields')];
  assert.deepEqual(finish(defaultRuleErrors(within(needsA), 's', { others })), []);
});

test('defaultRuleErrors validates a default both as a new value and as an unchanged value', () => {
  const changing = (rule: string): StructuralSchema =>
    within({ ...text, default: 'x', 'x-kubernetes-validations': [{ rule, optionalOldSelf: true }] });
  assert.equal(texts(changing('oldSelf.hasValue()')).length, 1);
  assert.equal(texts(changing('!oldSelf.hasValue()')).length, 1);
  assert.equal(texts(changing("self == 'x'")).length, 0);
});
