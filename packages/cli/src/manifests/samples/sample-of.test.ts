import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { applyDefaults, checkStructural, type StructuralSchema, validate } from '@kubewright/api/schema';
import fc from 'fast-check';
import { validatedSample, sampleOf } from './sample-of.js';

/** Returns a definition with the given schema of the spec. `root` contains further keywords and properties of the root schema. */
function crdOf(spec: StructuralSchema, root: StructuralSchema = {}): CustomResourceDefinition {
  const schema: StructuralSchema = {
    type: 'object',
    ...root,
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
      ...root.properties,
      spec,
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'websites.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Website', plural: 'websites' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  } as unknown as CustomResourceDefinition;
}
const object = (properties: Readonly<Record<string, StructuralSchema>>, more: StructuralSchema = {}) =>
  ({ type: 'object', properties, required: Object.keys(properties), ...more }) as const;

/** Asserts that the sample of a definition has no problems, and returns the spec of the sample. */
function specOf(spec: StructuralSchema, root?: StructuralSchema): unknown {
  const { sample, problems } = validatedSample(crdOf(spec, root), 'v1');
  assert.deepEqual(problems, []);
  return (sample as unknown as { spec: unknown }).spec;
}

test('a sample contains exactly the required fields without a default', () => {
  const spec = object({
    name: { type: 'string', minLength: 3 },
    size: { type: 'integer', minimum: 2 },
    replicas: { type: 'integer', default: 1 },
    tier: { type: 'string', enum: ['web', 'db'] },
    on: { type: 'boolean' },
  });
  const with2 = { ...spec, properties: { ...spec.properties, note: { type: 'string' } } };
  assert.deepEqual(specOf(with2), { name: 'example', size: 2, tier: 'web', on: true });
});

test('a sample is named KIND-sample and has no status', () => {
  assert.deepEqual(sampleOf(crdOf({ type: 'object' }), 'v1'), {
    apiVersion: 'example.com/v1',
    kind: 'Website',
    metadata: { name: 'website-sample' },
    spec: {},
  });
});

test('the samples of several versions have different names', () => {
  const crd = crdOf({ type: 'object' });
  const [v1] = crd.spec.versions;
  assert.ok(v1);
  const both = { ...crd, spec: { ...crd.spec, versions: [v1, { ...v1, name: 'v2', storage: false }] } };
  assert.equal(sampleOf(both, 'v2').metadata.name, 'website-sample-v2');
  assert.throws(
    () => sampleOf(crd, 'v3'),
    (error) => error instanceof KubewrightError && error.code === 'INVALID_KIND',
  );
});

test('numbers in a sample respect the bounds of the schema', () => {
  const spec = object({
    above: { type: 'integer', minimum: 3, exclusiveMinimum: true },
    below: { type: 'integer', maximum: -2 },
    multiple: { type: 'integer', minimum: 5, multipleOf: 4 },
    fraction: { type: 'number', minimum: 0.1, maximum: 0.6 },
    any: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER },
  });
  assert.deepEqual(specOf(spec), { above: 4, below: -2, multiple: 8, fraction: 0.5, any: 1 });
});

test('strings in a sample respect the format, length, and pattern of the schema', () => {
  const spec = object({
    at: { type: 'string', format: 'date-time' },
    uid: { type: 'string', format: 'uuid' },
    short: { type: 'string', maxLength: 2 },
    long: { type: 'string', minLength: 20 },
    schedule: { type: 'string', pattern: '^(\\S+ ){4}\\S+$' },
    quantity: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(Ki|Mi|Gi)$' },
    code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}(-(?:x|y))?$' },
    digits: { type: 'string', pattern: '^\\d+$', minLength: 12 },
  });
  assert.deepEqual(specOf(spec), {
    at: '2026-01-01T00:00:00Z',
    uid: '00000000-0000-4000-8000-000000000001',
    short: 'ex',
    long: 'exampleexampleexampl',
    schedule: '0 * * * *',
    quantity: '1Gi',
    code: 'AAA-0000',
    digits: '000000000000',
  });
});

test('items of sets and maps in a sample are unique', () => {
  const item = object({ name: { type: 'string' }, port: { type: 'integer', minimum: 1 } });
  const spec = object({
    names: { type: 'array', minItems: 3, items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ports: {
      type: 'array',
      minItems: 2,
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    labels: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 2 },
  });
  assert.deepEqual(specOf(spec), {
    names: ['example', 'example-2', 'example-3'],
    ports: [
      { name: 'example', port: 1 },
      { name: 'example-2', port: 2 },
    ],
    labels: { example: 'example', 'example-2': 'example-2' },
  });
});

test('an int-or-string value in a sample is a number', () => {
  const spec = object({
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  });
  assert.deepEqual(specOf(spec), { port: 1 });
});

test('a sample of a union has one member if rules, oneOf, or maxProperties allow only one', () => {
  const members = { a: { type: 'string' }, b: { type: 'integer' } };
  assert.deepEqual(
    specOf({
      type: 'object',
      properties: members,
      'x-kubernetes-validations': [{ rule: '[has(self.a), has(self.b)].filter(x, x).size() == 1' }],
    }),
    { a: 'example' },
  );
  assert.deepEqual(specOf({ type: 'object', properties: members, oneOf: [{ required: ['a'] }, { required: ['b'] }] }), {
    a: 'example',
  });
  assert.deepEqual(specOf({ type: 'object', properties: members, minProperties: 1, maxProperties: 1 }), {
    a: 'example',
  });
});

test('the values in a sample satisfy rules that compare fields, require a prefix, or depend on the presence of fields', () => {
  const number = { type: 'integer' };
  const rules = (...all: string[]) => ({ 'x-kubernetes-validations': all.map((rule) => ({ rule })) });
  assert.deepEqual(specOf(object({ least: number, most: number }, rules('self.least < self.most'))), {
    least: 0,
    most: 1,
  });
  assert.deepEqual(
    specOf(
      object({ memory: number, name: { type: 'string' } }, rules('self.memory >= 512', "self.name.startsWith('vm-')")),
    ),
    { memory: 512, name: 'vm-' },
  );
  assert.deepEqual(
    specOf({
      type: 'object',
      properties: { a: number, b: number, c: number },
      ...rules('has(self.b)', '!has(self.b) || (has(self.c) && self.c > self.b)', '!has(self.a)'),
    }),
    { b: 0, c: 1 },
  );
});

test('the name of a sample satisfies a rule about metadata.name', () => {
  const root = { 'x-kubernetes-validations': [{ rule: "self.metadata.name == 'cluster'" }] };
  assert.equal(sampleOf(crdOf({ type: 'object' }, root), 'v1').metadata.name, 'cluster');
});

test('validatedSample reports a rule that no value satisfies, and returns a sample that satisfies the schema', () => {
  const spec = object(
    { name: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
    { 'x-kubernetes-validations': [{ rule: 'self.size > 3 && self.size < 3', message: 'no size is right' }] },
  );
  const { sample, problems } = validatedSample(crdOf(spec), 'v1');
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['Invalid value: no size is right'],
  );
  assert.deepEqual((sample as unknown as { spec: unknown }).spec, { name: 'example', size: 1 });
});

/** Random satisfiable schemas of CustomResourceDefinitions. */
const schemas = fc.letrec<{ any: StructuralSchema; text: StructuralSchema }>((tie) => {
  const range = (most: number) =>
    fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const text = fc.oneof(
    range(24).map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
    fc
      .constantFrom(
        'date',
        'date-time',
        'duration',
        'email',
        'hostname',
        'ipv4',
        'ipv6',
        'mac',
        'uri',
        'uuid',
        'byte',
        'cidr',
      )
      .map((format) => ({ type: 'string', format })),
    fc
      .constantFrom(
        '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        '^(\\d{2,3}|x+)-[A-F]{2}$',
        '^[^a-z]+$',
        '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$',
        '^arn:aws[a-z-]*:s3:::[a-z0-9.-]{3,63}$',
        '^\\w+(,\\w+){2}$',
        '^(?:(?P<a>a|b)[[:digit:]]\\.)+z?$',
      )
      .map((pattern) => ({ type: 'string', pattern })),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => ({ type: 'string', enum: values })),
  );
  const number = fc.oneof(
    range(1000).chain(([a, b]) =>
      fc.constantFrom(
        { type: 'integer', minimum: a - 500, maximum: b - 500 },
        { type: 'number', minimum: a, maximum: b },
      ),
    ),
    fc.record({
      type: fc.constant('integer'),
      minimum: fc.integer({ min: -50, max: 50 }),
      exclusiveMinimum: fc.boolean(),
      multipleOf: fc.integer({ min: 1, max: 9 }),
    }),
    fc.constant({ 'x-kubernetes-int-or-string': true }),
    fc.constant({ type: 'boolean' }),
  );
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 });
  const fields = names.chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, tie('any')]))));
  const map = fields.chain((properties) =>
    fc.record({
      type: fc.constant('object'),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
      minProperties: fc.nat(Object.keys(properties).length),
    }),
  );
  const union = names
    .filter((keys) => keys.length > 1)
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, tie('any')]))).map((properties) => ({
        type: 'object',
        properties,
        oneOf: keys.map((key) => ({ required: [key] })),
      })),
    );
  const list = fc
    .tuple(tie('any'), range(3))
    .map(([items, [minItems, maxItems]]) => ({ type: 'array', items, minItems, maxItems }));
  const set = range(6).map(([minItems, maxItems]) => ({
    type: 'array',
    items: { type: 'string' },
    minItems,
    maxItems,
    'x-kubernetes-list-type': 'set' as const,
  }));
  const dictionary = fc
    .tuple(tie('any'), fc.nat(3))
    .map(([additionalProperties, minProperties]) => ({ type: 'object', additionalProperties, minProperties }));
  return {
    text,
    any: fc.oneof({ depthSize: 'small', withCrossShrink: true }, text, number, map, list, set, dictionary, union),
  };
});

test('samples of random schemas are valid', () => {
  fc.assert(
    fc.property(schemas.any, (any) => {
      const crd = crdOf({ type: 'object', properties: { value: any }, required: ['value'] });
      const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema;
      const sample = sampleOf(crd, 'v1');
      assert.deepEqual(checkStructural(schema, ''), []);
      assert.deepEqual(validate(applyDefaults(sample, schema), schema), []);
    }),
    { numRuns: 500 },
  );
});
