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

test('missing fields get their defaults, inside values just filled in too', () => {
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

test('nothing is filled in below a field that is missing and has no default', () => {
  const value = { metadata: {} };
  assert.equal(applyDefaults(value, schema), value);
});

test('a null becomes the default, stays where it is allowed, and goes elsewhere', () => {
  const value = { spec: { replicas: null, paused: null, name: null, storage: null } };
  assert.deepEqual(applyDefaults(value, schema), { spec: { replicas: 1, paused: null, storage: { size: '1Gi' } } });
});

test('a null without a default stays where it is asked for', () => {
  const value = { spec: { replicas: null, name: null, limits: { a: null } } };
  assert.deepEqual(applyDefaults(value, schema, { keepNulls: true }), {
    spec: { replicas: 1, paused: false, name: null, storage: { size: '1Gi' }, limits: { a: null } },
  });
});

test('a default is a copy: changing the result leaves the schema alone', () => {
  const filled = applyDefaults<{ spec: { storage?: { size: string } } }>({ spec: {} }, schema);
  if (filled.spec.storage) filled.spec.storage.size = '9Gi';
  assert.deepEqual(applyDefaults({ spec: {} }, schema), {
    spec: { replicas: 1, paused: false, storage: { size: '1Gi' } },
  });
});

test('defaulting twice changes nothing more', () => {
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
