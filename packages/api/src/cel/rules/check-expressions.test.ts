import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema, ValidationRule } from '../../schema/structural-schema.js';
import { checkExpressions } from './check-expressions.js';

const text: StructuralSchema = { type: 'string' };

function refusals(rule: string | ValidationRule, properties: StructuralSchema['properties'] = {}): readonly string[] {
  const given = typeof rule === 'string' ? { rule } : rule;
  const spec: StructuralSchema = {
    type: 'object',
    properties: { size: { type: 'integer' }, name: text, ...properties },
    'x-kubernetes-validations': [given],
  };
  const schema: StructuralSchema = { type: 'object', properties: { spec } };
  return checkExpressions(schema, 's').map(({ field, message }) => `${field}: ${message}`);
}

const at = 's.properties[spec].x-kubernetes-validations[0]';

function refused(rule: string, detail: string): void {
  const shown = `{"Rule":${JSON.stringify(rule).replaceAll('>', '\\u003e')},"Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;
  assert.deepEqual(refusals(rule), [`${at}.rule: Invalid value: ${shown}: ${detail}`]);
}

test('checkExpressions reports the position of an undefined field', () => {
  refused(
    'self.sise > 1',
    "compilation failed: ERROR: <input>:1:5: undefined field 'sise'\n | self.sise > 1\n | ....^",
  );
});

test('checkExpressions lists the expected tokens of a syntax error', () => {
  const expected =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
  refused(
    'self.size >',
    `compilation failed: ERROR: <input>:1:12: Syntax error: mismatched input '<EOF>' expecting ${expected}\n | self.size >\n | ...........^`,
  );
});

test('checkExpressions reports the types of operands without a matching overload', () => {
  refused(
    "self.size == 'a'",
    "compilation failed: ERROR: <input>:1:11: found no matching overload for '_==_' applied to '(int, string)'\n | self.size == 'a'\n | ..........^",
  );
});

test('checkExpressions reports all errors of an expression from left to right', () => {
  const [only = ''] = refusals('self.a == 1 || self.b == 2');
  assert.match(only, /1:5: undefined field 'a'[^]*1:20: undefined field 'b'/);
});

test('checkExpressions requires a boolean rule and a string message expression', () => {
  refused('self.size', 'cel expression must evaluate to a bool');
  const [message = ''] = refusals({ rule: 'true', messageExpression: 'self.size' });
  assert.match(message, /\.messageExpression: Invalid value: .*: messageExpression must evaluate to a string$/);
});

test('checkExpressions reports the position of an invalid constant', () => {
  refused(
    "self.name.matches('a(')",
    "compilation failed: ERROR: <input>:1:19: invalid matches argument\n | self.name.matches('a(')\n | ..................^",
  );
});

test('checkExpressions resolves escaped property names', () => {
  const properties = { 'a-b': text, namespace: text, a__b: text, 'x.y/z': text };
  assert.deepEqual(
    refusals(
      "self.a__dash__b == '' || self.__namespace__ == self.namespace || self.a__underscores__b == self.x__dot__y__slash__z",
      properties,
    ),
    [],
  );
});

test('checkExpressions uses the CEL types of string formats, such as timestamp', () => {
  const properties = {
    at: { type: 'string', format: 'date-time' },
    for: { type: 'string', format: 'duration' },
    data: { type: 'string', format: 'byte' },
    port: { 'x-kubernetes-int-or-string': true },
  };
  const rule =
    "self.at + self.__for__ > timestamp(0) && self.data.size() < 10 && (type(self.port) == int ? self.port > 0 : self.port == 'http')";
  assert.deepEqual(refusals(rule, properties), []);
});

test('checkExpressions supports metadata.name only at the root', () => {
  const rules = [{ rule: "self.metadata.name == 'a' && self.kind == 'b' && !has(self.metadata.generateName)" }];
  const schema: StructuralSchema = { type: 'object', 'x-kubernetes-validations': rules };
  assert.deepEqual(checkExpressions(schema, 's'), []);
  assert.match(refusals('self.metadata.name == self.name').join(''), /undefined field 'metadata'/);
});

test('checkExpressions rejects oldSelf in a list whose old and new items cannot be correlated', () => {
  const items: StructuralSchema = { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
  const list: StructuralSchema = { type: 'array', maxItems: 4, items: { ...items, maxLength: 4 } };
  const schema: StructuralSchema = { type: 'object', properties: { list } };
  assert.deepEqual(
    checkExpressions(schema, 's').map(({ message }) => message),
    [
      'Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within s.properties[list]',
    ],
  );
});

test('checkExpressions rejects optionalOldSelf if the rule does not use oldSelf', () => {
  assert.deepEqual(refusals({ rule: 'true', optionalOldSelf: true }), [
    `${at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
  ]);
  assert.deepEqual(refusals({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }), []);
});

const hint =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

test('checkExpressions rejects a rule whose estimated cost exceeds the budget and reports the factor', () => {
  const names = { names: { type: 'array', items: text } };
  const costs = refusals('self.names.all(a, self.names.all(b, a != b))', names);
  assert.equal(
    costs[0],
    `${at}.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${hint}`,
  );
  assert.equal(costs.length, 3);
  const bounded = { names: { type: 'array', maxItems: 20, items: { ...text, maxLength: 63 } } };
  assert.deepEqual(refusals('self.names.all(a, self.names.all(b, a != b))', bounded), []);
});

test('checkExpressions multiplies the cost of a rule by the maximum number of values of its schema', () => {
  const each = { ...text, maxLength: 1000, 'x-kubernetes-validations': [{ rule: "self.matches('^[a-z]+$')" }] };
  const list: StructuralSchema = { type: 'array', maxItems: 100_000, items: each };
  const [error] = checkExpressions({ type: 'object', properties: { list } }, 's');
  assert.equal(error?.message, `Forbidden: estimated rule cost exceeds budget by factor of 8.0x ${hint}`);
});
