import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema, ValidationRule } from '../../schema/structural-schema.js';
import { RuleValidator, type RuleVerdict } from './rule-validator.js';

const text: StructuralSchema = { type: 'string' };

function judge(rules: readonly ValidationRule[], spec: unknown, old?: unknown): RuleVerdict {
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

test('a schema without rules has no validator', () => {
  assert.equal(RuleValidator.compile({ type: 'object', properties: { spec: text } }), undefined);
});

test('a rule that holds says nothing', () => {
  assert.deepEqual(judge([{ rule: 'self.size > 1' }], { size: 2 }), judge([{ rule: 'true' }], {}));
});

test('a rule that fails is told by itself, or by its message', () => {
  assert.deepEqual(
    errors(judge([{ rule: 'self.size > 1' }, { rule: ' self.size > 2 ', message: ' too small ' }], { size: 1 })),
    [
      'FieldValueInvalid spec: Invalid value: failed rule: self.size > 1',
      'FieldValueInvalid spec: Invalid value: too small',
    ],
  );
});

test('a reason and a field path say what is blamed', () => {
  const rule = { rule: 'false', message: 'no' };
  const rules = [
    { ...rule, reason: 'FieldValueForbidden', fieldPath: '.size' },
    { ...rule, reason: 'FieldValueRequired', fieldPath: ".labels['a.b']" },
    { ...rule, reason: 'FieldValueDuplicate' },
  ];
  assert.deepEqual(errors(judge(rules, {})), [
    'FieldValueForbidden spec.size: Forbidden: no',
    'FieldValueRequired spec.labels[a.b]: Required value: no',
    'FieldValueDuplicate spec: Duplicate value',
  ]);
});

test('a message may be computed; one that cannot be shown gives way to the other', () => {
  const rules = [
    { rule: 'false', messageExpression: "'size is ' + string(self.size)", message: 'static' },
    { rule: 'false', messageExpression: "'a\\nb'", message: 'static' },
    { rule: 'false', messageExpression: "'  '", message: 'static' },
    { rule: 'false', messageExpression: 'self.name', message: 'static' },
  ];
  assert.deepEqual(errors(judge(rules, { size: 3 })), [
    'FieldValueInvalid spec: Invalid value: size is 3',
    ...Array.from({ length: 3 }, () => 'FieldValueInvalid spec: Invalid value: static'),
  ]);
});

test('an error of the evaluation is told with the type of the place', () => {
  assert.deepEqual(
    errors(judge([{ rule: "self.name == 'a'" }, { rule: 'self.size / 0 == 1', message: 'm' }], { size: 1 })),
    [
      `FieldValueInvalid spec: Invalid value: "object": no such key: name evaluating rule: self.name == 'a'`,
      'FieldValueInvalid spec: Invalid value: "object": division by zero evaluating rule: m',
    ],
  );
});

test('a rule about a change is applied to changes only', () => {
  const rules = [{ rule: 'self.size >= oldSelf.size', message: 'shrinks' }];
  assert.deepEqual(errors(judge(rules, { size: 1 })), []);
  assert.deepEqual(errors(judge(rules, { size: 2 }, { size: 1 })), []);
  assert.deepEqual(errors(judge(rules, { size: 1 }, { size: 2 })), ['FieldValueInvalid spec: Invalid value: shrinks']);
});

test('an optional oldSelf is none when there was nothing', () => {
  const rules = [
    { rule: 'oldSelf.hasValue() ? self.size == oldSelf.value().size : self.size == 1', optionalOldSelf: true },
  ];
  assert.equal(errors(judge(rules, { size: 2 })).length, 1);
  assert.deepEqual(errors(judge(rules, { size: 1 })), []);
  assert.deepEqual(errors(judge(rules, { size: 2 }, { size: 2 })), []);
  assert.equal(errors(judge(rules, { size: 3 }, { size: 2 })).length, 1);
});

test('what is wrong with a place that did not change is a warning', () => {
  const rules = [{ rule: 'self.size > 1' }];
  const verdict = judge(rules, { size: 1 }, { size: 1 });
  assert.deepEqual(verdict.errors, []);
  assert.deepEqual(verdict.warnings, ['spec: Invalid value: failed rule: self.size > 1']);
  assert.equal(judge(rules, { size: 1, name: 'new' }, { size: 1 }).errors.length, 1);
});

test('a rule about oldSelf is not spared by an unchanged place', () => {
  assert.equal(judge([{ rule: 'self.size != oldSelf.size' }], { size: 1 }, { size: 1 }).errors.length, 1);
});

test('sets are equal in any order, and join without repetitions', () => {
  const rules = [{ rule: "self.tags == ['b', 'a'] && self.tags + ['a', 'c'] == ['c', 'a', 'b']" }];
  assert.deepEqual(errors(judge(rules, { tags: ['a', 'b'] })), []);
});

test('rules within lists and maps name the element', () => {
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

test('all rules of an object share a budget, and the one that breaks it is the last', () => {
  const costly = { rule: 'lists.range(50000).all(i, i >= 0)' };
  const rules = Array.from({ length: 60 }, () => costly);
  const found = errors(judge(rules, {}));
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
  const judgement = validator.validateSteps(object);
  for (let count = 1; ; count++) {
    const { done, value } = judgement.next();
    if (done === true) return { count, verdict: value };
  }
}

test('a judgement in steps has many breaks and the verdict of one without breaks', () => {
  const object = { list: Array.from({ length: 20_000 }, (_, at) => at), text: 'a' };
  const { count, verdict } = steps(object);
  assert.ok(count > 50, `${count} steps`);
  assert.ok(verdict);
  assert.equal(verdict.errors.length, 20);
  assert.deepEqual(errors(verdict), errors(RuleValidator.compile(counted)?.validate(object) ?? verdict));
});

test('a judgement in steps of a small object takes one step', () => {
  assert.equal(steps({ list: [1, 2], text: 'aa' }).count, 1);
});

test('a judgement in steps ends without a verdict at an evaluation that takes long', () => {
  assert.equal(steps({ list: [7], text: 'a'.repeat(1_000_000) }).verdict, undefined);
});
