import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema, ValidationRule } from '../../schema/structural-schema.js';
import { RuleValidator, type RuleVerdict } from './rule-validator.js';

const text: StructuralSchema = { type: 'string' };

function validateAll(rules: readonly ValidationRule[], spec: unknown, old?: unknown): RuleVerdict {
  const properties: StructuralSchema['properties'] = {
    size: { type: 'integer' },
    name: text,
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    labels: { type: 'object', additionalProperties: text },
  };
  const schema: StructuralSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties, 'x-kubernetes-validations': rules } },
  };
  const validator = RuleValidator.compile(schema);
  assert.ok(validator);
  return validator.validate({ spec }, old === undefined ? undefined : { spec: old });
}

function errors(verdict: RuleVerdict): readonly string[] {
  return verdict.errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
}

test('RuleValidator.compile returns undefined for a schema without rules', () => {
  assert.equal(RuleValidator.compile({ type: 'object', properties: { spec: text } }), undefined);
});

test('RuleValidator returns no error for a satisfied rule', () => {
  assert.deepEqual(validateAll([{ rule: 'self.size > 1' }], { size: 2 }), validateAll([{ rule: 'true' }], {}));
});

test('RuleValidator reports the message of a violated rule, or its expression if the rule has no message', () => {
  assert.deepEqual(
    errors(validateAll([{ rule: 'self.size > 1' }, { rule: ' self.size > 2 ', message: ' too small ' }], { size: 1 })),
    [
      'FieldValueInvalid spec: Invalid value: failed rule: self.size > 1',
      'FieldValueInvalid spec: Invalid value: too small',
    ],
  );
});

test('RuleValidator uses the reason and the field path of a rule in the error', () => {
  const rule = { rule: 'false', message: 'no' };
  const rules = [
    { ...rule, reason: 'FieldValueForbidden', fieldPath: '.size' },
    { ...rule, reason: 'FieldValueRequired', fieldPath: ".labels['a.b']" },
    { ...rule, reason: 'FieldValueDuplicate' },
  ];
  assert.deepEqual(errors(validateAll(rules, {})), [
    'FieldValueForbidden spec.size: Forbidden: no',
    'FieldValueRequired spec.labels[a.b]: Required value: no',
    'FieldValueDuplicate spec: Duplicate value',
  ]);
});

test('RuleValidator uses a computed message, and falls back to the static message if the computed message is not usable', () => {
  const rules = [
    { rule: 'false', messageExpression: "'size is ' + string(self.size)", message: 'static' },
    { rule: 'false', messageExpression: "'a\\nb'", message: 'static' },
    { rule: 'false', messageExpression: "'  '", message: 'static' },
    { rule: 'false', messageExpression: 'self.name', message: 'static' },
  ];
  assert.deepEqual(errors(validateAll(rules, { size: 3 })), [
    'FieldValueInvalid spec: Invalid value: size is 3',
    ...Array.from({ length: 3 }, () => 'FieldValueInvalid spec: Invalid value: static'),
  ]);
});

test('RuleValidator reports an evaluation error with the type of the value', () => {
  assert.deepEqual(
    errors(validateAll([{ rule: "self.name == 'a'" }, { rule: 'self.size / 0 == 1', message: 'm' }], { size: 1 })),
    [
      `FieldValueInvalid spec: Invalid value: "object": no such key: name evaluating rule: self.name == 'a'`,
      'FieldValueInvalid spec: Invalid value: "object": division by zero evaluating rule: m',
    ],
  );
});

test('RuleValidator evaluates a transition rule only for an update', () => {
  const rules = [{ rule: 'self.size >= oldSelf.size', message: 'shrinks' }];
  assert.deepEqual(errors(validateAll(rules, { size: 1 })), []);
  assert.deepEqual(errors(validateAll(rules, { size: 2 }, { size: 1 })), []);
  assert.deepEqual(errors(validateAll(rules, { size: 1 }, { size: 2 })), [
    'FieldValueInvalid spec: Invalid value: shrinks',
  ]);
});

test('RuleValidator sets an optional oldSelf to none for a new value', () => {
  const rules = [
    { rule: 'oldSelf.hasValue() ? self.size == oldSelf.value().size : self.size == 1', optionalOldSelf: true },
  ];
  assert.equal(errors(validateAll(rules, { size: 2 })).length, 1);
  assert.deepEqual(errors(validateAll(rules, { size: 1 })), []);
  assert.deepEqual(errors(validateAll(rules, { size: 2 }, { size: 2 })), []);
  assert.equal(errors(validateAll(rules, { size: 3 }, { size: 2 })).length, 1);
});

test('RuleValidator reports a warning for a violation in an unchanged value', () => {
  const rules = [{ rule: 'self.size > 1' }];
  const verdict = validateAll(rules, { size: 1 }, { size: 1 });
  assert.deepEqual(verdict.errors, []);
  assert.deepEqual(verdict.warnings, ['spec: Invalid value: failed rule: self.size > 1']);
  assert.equal(validateAll(rules, { size: 1, name: 'new' }, { size: 1 }).errors.length, 1);
});

test('RuleValidator reports an error for a violation of a transition rule in an unchanged value', () => {
  assert.equal(validateAll([{ rule: 'self.size != oldSelf.size' }], { size: 1 }, { size: 1 }).errors.length, 1);
});

test('RuleValidator compares lists of type set regardless of the order, and concatenates them without duplicates', () => {
  const rules = [{ rule: "self.tags == ['b', 'a'] && self.tags + ['a', 'c'] == ['c', 'a', 'b']" }];
  assert.deepEqual(errors(validateAll(rules, { tags: ['a', 'b'] })), []);
});

test('RuleValidator includes the index or the key in errors of rules within lists and maps', () => {
  const each: StructuralSchema = { ...text, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] };
  const keyed: StructuralSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      properties: { name: text, size: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.size == oldSelf.size', message: 'changed' }],
    },
  };
  const schema: StructuralSchema = {
    type: 'object',
    properties: { list: { type: 'array', items: each }, map: { type: 'object', additionalProperties: each }, keyed },
  };
  const validator = RuleValidator.compile(schema);
  const next = {
    list: ['ok', 'bad'],
    map: { 'a.b': 'bad' },
    keyed: [
      { name: 'b', size: 2 },
      { name: 'c', size: 1 },
    ],
  };
  const old = {
    keyed: [
      { name: 'a', size: 1 },
      { name: 'b', size: 1 },
    ],
  };
  assert.deepEqual(errors(validator?.validate(next, old) ?? { errors: [], warnings: [] }), [
    `FieldValueInvalid list[1]: Invalid value: "bad": failed rule: self != 'bad'`,
    `FieldValueInvalid map[a.b]: Invalid value: "bad": failed rule: self != 'bad'`,
    'FieldValueInvalid keyed[0]: Invalid value: changed',
  ]);
});

test('all rules of an object share a cost budget, and validation stops at the rule that exceeds the budget', () => {
  const costly = { rule: 'lists.range(50000).all(i, i >= 0)' };
  const rules = Array.from({ length: 60 }, () => costly);
  const found = errors(validateAll(rules, {}));
  assert.deepEqual(found, [
    'FieldValueInvalid spec: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

const counted: StructuralSchema = {
  type: 'object',
  properties: {
    list: {
      type: 'array',
      items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self % 1000 != 7' }, { rule: 'self >= 0' }] },
    },
    text: { ...text, 'x-kubernetes-validations': [{ rule: "self.matches('^a+$')" }] },
  },
};

function steps(object: unknown): { readonly count: number; readonly verdict: RuleVerdict | undefined } {
  const validator = RuleValidator.compile(counted);
  assert.ok(validator);
  const validation = validator.validateSteps(object);
  for (let count = 1; ; count++) {
    const { done, value } = validation.next();
    if (done === true) return { count, verdict: value };
  }
}

test('validateSteps yields often and returns the same verdict as validate', () => {
  const object = { list: Array.from({ length: 20_000 }, (_, at) => at), text: 'a' };
  const { count, verdict } = steps(object);
  assert.ok(count > 50, `${count} steps`);
  assert.ok(verdict);
  assert.equal(verdict.errors.length, 20);
  assert.deepEqual(errors(verdict), errors(RuleValidator.compile(counted)?.validate(object) ?? verdict));
});

test('validateSteps takes one step for a small object', () => {
  assert.equal(steps({ list: [1, 2], text: 'aa' }).count, 1);
});

test('validateSteps returns undefined if an evaluation takes longer than 30 ms', () => {
  assert.equal(steps({ list: [7], text: 'a'.repeat(1_000_000) }).verdict, undefined);
});
