import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyDefaults } from './apply-defaults.js';
import type { StructuralSchema } from './structural-schema.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1 },
        paused: { type: 'boolean', nullable: true, default: false },
        name: { type: 'string' },
        storage: {
          type: 'object',
          default: {},
          properties: { size: { type: 'string', default: '1Gi' }, class: { type: 'string' } },
        },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { protocol: { type: 'string', default: 'TCP' } } },
        },
        limits: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { cpu: { type: 'string', default: '1' } } },
        },
      },
    },
  },
};

test('applyDefaults sets the defaults of missing fields, including fields inside other defaults', () => {
  const value = { spec: { ports: [{}, { protocol: 'UDP' }], limits: { a: {} } } };
  const before = structuredClone(value);
  assert.deepEqual(applyDefaults(value, schema), {
    spec: {
      replicas: 1,
      paused: false,
      storage: { size: '1Gi' },
      ports: [{ protocol: 'TCP' }, { protocol: 'UDP' }],
      limits: { a: { cpu: '1' } },
    },
  });
  assert.deepEqual(value, before);
});

test('applyDefaults sets no defaults below a missing field without a default', () => {
  const value = { metadata: {} };
  assert.equal(applyDefaults(value, schema), value);
});

test('applyDefaults replaces a null with the default, keeps the null of a nullable field, and removes other nulls', () => {
  const value = { spec: { replicas: null, paused: null, name: null, storage: null } };
  assert.deepEqual(applyDefaults(value, schema), { spec: { replicas: 1, paused: null, storage: { size: '1Gi' } } });
});

test('applyDefaults keeps a null without a default if keepNulls is set', () => {
  const value = { spec: { replicas: null, name: null, limits: { a: null } } };
  assert.deepEqual(applyDefaults(value, schema, { keepNulls: true }), {
    spec: { replicas: 1, paused: false, name: null, storage: { size: '1Gi' }, limits: { a: null } },
  });
});

test('applyDefaults copies a default, so that changes of the result do not affect the schema', () => {
  const filled = applyDefaults<{ spec: { storage?: { size: string } } }>({ spec: {} }, schema);
  if (filled.spec.storage) filled.spec.storage.size = '9Gi';
  assert.deepEqual(applyDefaults({ spec: {} }, schema), {
    spec: { replicas: 1, paused: false, storage: { size: '1Gi' } },
  });
});

test('applying defaults twice changes nothing', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue());
  const some = fc.record(
    { replicas: fc.option(fc.integer()), storage: fc.option(json), ports: fc.array(fc.option(json)) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(some, (spec) => {
      const once = applyDefaults({ spec }, schema);
      assert.equal(applyDefaults(once, schema), once);
    }),
  );
});
