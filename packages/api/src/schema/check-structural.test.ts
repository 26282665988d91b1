import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStructural } from './check-structural.js';
import type { StructuralSchema } from './structural-schema.js';

function errorsOf(a: StructuralSchema): readonly string[] {
  const schema: StructuralSchema = { type: 'object', properties: { a } };
  return checkStructural(schema, '').map(({ field, message }) => `${field}: ${message}`);
}
const object: StructuralSchema = { type: 'object', properties: { n: { type: 'string' } } };

const verdicts: readonly (readonly [StructuralSchema, readonly string[]])[] = [
  [{ type: 'string' }, []],
  [{}, ['properties[a].type: Required value: must not be empty for specified object fields']],
  [{ type: 'array' }, ['properties[a].items: Required value: must be specified']],
  [
    { type: 'array', items: {} },
    ['properties[a].items.type: Required value: must not be empty for specified array items'],
  ],
  [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
  [
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^1' }],
    },
    [],
  ],
  [
    { type: 'string', anyOf: [{ type: 'string' }] },
    ['properties[a].anyOf[0].type: Forbidden: must be empty to be structural'],
  ],
  [{ type: 'object', allOf: [{ properties: { b: { minimum: 1 } } }] }, []],
  [
    { type: 'thing' },
    [
      'properties[a].type: Unsupported value: "thing": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
  ],
  [
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    [
      'properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
  ],
  [
    { ...object, additionalProperties: { type: 'string' } },
    ['properties[a].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
  ],
  [
    { type: 'array', items: object, 'x-kubernetes-list-type': 'map' },
    ['properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'],
  ],
  [
    { type: 'array', items: object, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['n'] },
    [
      'properties[a].items.properties[n].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
  ],
  [
    {
      type: 'array',
      items: { ...object, required: ['n'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['n'],
    },
    [],
  ],
  [
    { type: 'array', items: object, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['z'] },
    ['properties[a].x-kubernetes-list-map-keys: Invalid value: ["z"]: entries must all be names of item properties'],
  ],
  [
    { type: 'array', items: object, 'x-kubernetes-list-type': 'set' },
    [
      'properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
    ],
  ],
  [
    { type: 'string', 'x-kubernetes-list-type': 'atomic' },
    ['properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
  ],
  [
    { type: 'integer', default: 'x' },
    ['properties[a].default: Invalid value: "string":  in body must be of type integer: "string"'],
  ],
  [
    { ...object, default: { n: 'x', o: 1 } },
    ['properties[a].default: Invalid value: {"n":"x","o":1}: must not have unknown fields'],
  ],
  [
    { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] },
    ['properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified'],
  ],
  [
    { type: 'object', 'x-kubernetes-embedded-resource': true },
    [
      'properties[a].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  ],
];

for (const [schema, expected] of verdicts) {
  test(`checkStructural returns ${expected.length} ${expected.length === 1 ? 'error' : 'errors'} for ${JSON.stringify(schema).slice(0, 100)}`, () => {
    assert.deepEqual(errorsOf(schema), expected);
  });
}

test('checkStructural requires an object at the root, and allows only restrictions of the names in metadata', () => {
  const at = 'spec.validation.openAPIV3Schema';
  const errorsOf = (schema: StructuralSchema) =>
    checkStructural(schema, at).map(({ field, message }) => `${field}: ${message}`);
  assert.deepEqual(errorsOf({ type: 'string' }), [`${at}.type: Invalid value: "string": must be object at the root`]);
  assert.deepEqual(errorsOf({}), [`${at}.type: Required value: must not be empty at the root`]);
  const name = { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } };
  assert.deepEqual(errorsOf({ type: 'object', properties: { metadata: name } }), []);
  const labels = { type: 'object', properties: { labels: { type: 'object' } } };
  assert.deepEqual(errorsOf({ type: 'object', properties: { metadata: labels } }), [
    `${at}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ]);
});

test('checkStructural requires the root schema to declare the fields that its allOf, anyOf, oneOf and not restrict', () => {
  const schema: StructuralSchema = { type: 'object', allOf: [{ properties: { b: { minimum: 1 } } }] };
  assert.deepEqual(
    checkStructural(schema, '').map(({ field, message }) => `${field}: ${message}`),
    ['properties[b]: Required value: because it is defined in allOf[0].properties[b]'],
  );
});

test('checkStructural requires a valid regular expression as the pattern', () => {
  assert.match(
    errorsOf({ type: 'string', pattern: '(' })[0] ?? '',
    /^properties\[a\]\.pattern: Invalid value: "\(": must be a valid regular expression, but isn't: /,
  );
});
