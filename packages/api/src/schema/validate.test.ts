import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyDefaults } from './apply-defaults.js';
import type { StructuralSchema } from './structural-schema.js';
import { validate } from './validate.js';

function errorsOf(value: unknown, property: StructuralSchema): readonly string[] {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: property } } },
  };
  return validate({ spec: { a: value } }, schema).map(({ field, message }) => `${field}: ${message}`);
}

const texts: readonly (readonly [unknown, StructuralSchema, readonly string[]])[] = [
  [1, { type: 'integer' }, []],
  ['x', { type: 'integer' }, ['spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"']],
  [
    1.5,
    { type: 'integer' },
    [
      'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.a',
    ],
  ],
  [true, { type: 'integer', format: 'int32' }, ['spec.a: Invalid value: "": spec.a in body must be of type int32: ""']],
  [
    2 ** 31,
    { type: 'integer', format: 'int32' },
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.a'],
  ],
  [[], { type: 'object' }, ['spec.a: Invalid value: "array": spec.a in body must be of type object: "array"']],
  [null, { type: 'string' }, ['spec.a: Invalid value: "null": spec.a in body must be of type string: "null"']],
  [null, { type: 'string', nullable: true }, []],
  [
    true,
    { 'x-kubernetes-int-or-string': true },
    ['spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"'],
  ],
  ['50%', { 'x-kubernetes-int-or-string': true }, []],
  [3, { type: 'number' }, []],
  ['C', { type: 'string', enum: ['A', 'B'] }, ['spec.a: Unsupported value: "C": supported values: "A", "B"']],
  [3, { type: 'integer', enum: [1, 2] }, ['spec.a: Unsupported value: 3: supported values: "1", "2"']],
  ['toolong', { type: 'string', maxLength: 3 }, ['spec.a: Too long: may not be more than 3 bytes']],
  ['', { type: 'string', minLength: 1 }, ['spec.a: Invalid value: "": spec.a in body should be at least 1 chars long']],
  ['é', { type: 'string', maxLength: 1 }, []],
  [
    'X',
    { type: 'string', pattern: '^[a-z]+$' },
    ['spec.a: Invalid value: "X": spec.a in body should match \'^[a-z]+$\''],
  ],
  [
    127,
    { type: 'integer', minimum: 128 },
    ['spec.a: Invalid value: 127: spec.a in body should be greater than or equal to 128'],
  ],
  [
    128,
    { type: 'integer', minimum: 128, exclusiveMinimum: true },
    ['spec.a: Invalid value: 128: spec.a in body should be greater than 128'],
  ],
  [
    0.75,
    { type: 'number', maximum: 0.5 },
    ['spec.a: Invalid value: 0.75: spec.a in body should be less than or equal to 0.5'],
  ],
  [7, { type: 'integer', multipleOf: 2 }, ['spec.a: Invalid value: 7: spec.a in body should be a multiple of 2']],
  [0.3, { type: 'number', multipleOf: 0.1 }, []],
  [
    [1, 2, 3],
    { type: 'array', maxItems: 2, items: { type: 'integer' } },
    ['spec.a: Too many: 3: must have at most 2 items'],
  ],
  [
    [],
    { type: 'array', minItems: 1, items: { type: 'integer' } },
    ['spec.a: Invalid value: 0: spec.a in body should have at least 1 items'],
  ],
  [
    [1, 'x'],
    { type: 'array', items: { type: 'integer' } },
    ['spec.a[1]: Invalid value: "string": spec.a[1] in body must be of type integer: "string"'],
  ],
  [
    [{ b: 1 }, { b: 1 }],
    { type: 'array', uniqueItems: true, items: { type: 'object' } },
    ['spec.a: Invalid value: "": spec.a in body shouldn\'t contain duplicates'],
  ],
  [{}, { type: 'object', required: ['b'] }, ['spec.a.b: Required value']],
  [{ x: 1, y: 2 }, { type: 'object', maxProperties: 1 }, ['spec.a: Too many: 2: must have at most 1 item']],
  [
    {},
    { type: 'object', minProperties: 1 },
    ['spec.a: Invalid value: 0: spec.a in body should have at least 1 properties'],
  ],
  [
    { k: 1 },
    { type: 'object', additionalProperties: { type: 'string' } },
    ['spec.a.k: Invalid value: "integer": spec.a.k in body must be of type string: "integer"'],
  ],
  [
    ['a', 'b', 'a', 'a'],
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ['spec.a[2]: Duplicate value: "a"'],
  ],
  [
    [
      { n: 'x', v: 1 },
      { n: 'x', v: 2 },
    ],
    { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] },
    ['spec.a[1]: Duplicate value: {"n":"x"}'],
  ],
  [
    'x',
    { type: 'string', format: 'date-time' },
    ['spec.a: Invalid value: "x": spec.a in body must be of type date-time: "x"'],
  ],
  ['x', { type: 'string', format: 'unheard-of' }, []],
  [
    5,
    { type: 'integer', not: { minimum: 3 } },
    ['<nil>: Invalid value: "": "spec.a" must not validate the schema (not)'],
  ],
  [
    {},
    { type: 'object', anyOf: [{ required: ['b'] }, { required: ['c'] }] },
    ['<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)', 'spec.a.b: Required value'],
  ],
  [
    { b: 1, c: 1 },
    { type: 'object', oneOf: [{ required: ['b'] }, { required: ['c'] }] },
    ['<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    1,
    { type: 'integer', allOf: [{ minimum: 2 }, { maximum: 5 }] },
    [
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 2',
      '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf)',
    ],
  ],
];

for (const [value, schema, expected] of texts) {
  test(`validate reports ${expected.length || 'no'} ${expected.length === 1 ? 'error' : 'errors'} for ${JSON.stringify(value)} with ${JSON.stringify(schema).slice(0, 90)}`, () => {
    assert.deepEqual(errorsOf(value, schema), expected);
  });
}

const formats: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['date', ['2024-02-29'], ['2023-02-29', '24-1-1']],
  ['date-time', ['2024-01-01T10:00:00Z', '2024-01-01t10:00:00.5+02:00'], ['2024-01-01', '2024-01-01T25:00:00Z']],
  ['email', ['a@b.example', 'A B <a@b.example>'], ['a', 'a@', 'a b@c']],
  ['hostname', ['a.example.com', 'localhost'], ['a..b', '-', 'a_b.com']],
  ['ipv4', ['10.0.0.1', '010.0.0.1'], ['10.0.0', '::1', '256.0.0.1']],
  ['ipv6', ['::1', 'fe80::1'], ['10.0.0.1', 'fe80::1%eth0']],
  ['cidr', ['10.0.0.0/8', 'fd00::/64'], ['10.0.0.0/33', '10.0.0.0']],
  ['uri', ['https://a.example/b?c', '/a/b', 'urn:a:b'], ['a', '', 'http://[::1', '%zz']],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  ['byte', ['aGk=', 'aGVsbG8h'], ['a', 'aGk']],
  ['mac', ['01:23:45:67:89:ab', '0123.4567.89ab'], ['01:23:45:67:89', '01:23-45:67:89:ab']],
  ['duration', ['1h30m', '-1.5s', '3 days'], ['soon', '5']],
  ['hexcolor', ['#fff', 'A0B1C2'], ['#ffff']],
  ['isbn10', ['0321751043'], ['0321751044']],
  ['password', ['anything'], []],
  ['k8s-short-name', ['a-b'], ['A', 'a.b']],
];

for (const [format, good, bad] of formats) {
  test(`the format ${format} accepts valid texts and rejects other texts`, () => {
    for (const text of good) assert.deepEqual(errorsOf(text, { type: 'string', format }), [], text);
    for (const text of bad) assert.equal(errorsOf(text, { type: 'string', format }).length, 1, text);
  });
}

test('validate uses a given path as the field, but not in the message', () => {
  const [error] = validate('x', { type: 'integer' }, 'spec.default');
  assert.deepEqual(error, {
    reason: 'FieldValueTypeInvalid',
    field: 'spec.default',
    message: 'Invalid value: "string":  in body must be of type integer: "string"',
  });
});

test('an embedded resource requires an apiVersion, a kind and valid metadata', () => {
  const schema: StructuralSchema = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  assert.deepEqual(errorsOf({}, schema), ['spec.a.apiVersion: Required value', 'spec.a.kind: Required value']);
  const [wrong] = errorsOf({ apiVersion: 'v1', kind: 'Pod', metadata: { labels: { 'a b': 'c' } } }, schema);
  assert.match(wrong ?? '', /^spec\.a\.metadata\.labels: Invalid value: "a b": name part must consist/);
});

test('validate returns a list of errors for any JSON value, and applying defaults keeps a valid value valid', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'x', pattern: '^x' } } } },
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const errors = validate(value, schema);
      assert.ok(Array.isArray(errors));
      if (errors.length === 0) assert.deepEqual(validate(applyDefaults(value, schema), schema), []);
    }),
  );
});

// A comparison of each error with every other error would take minutes.
test('validate reports 50,000 errors in linear time', () => {
  const items = { type: 'object', required: ['name'], properties: { value: { type: 'string' } } } as const;
  const errors = validate(
    Array.from({ length: 25_000 }, () => ({ value: 1 })),
    { type: 'array', items },
  );
  assert.equal(errors.length, 50_000);
});
