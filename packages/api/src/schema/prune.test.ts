import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prune } from './prune.js';
import type { StructuralSchema } from './structural-schema.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        ports: { type: 'array', items: { type: 'object', properties: { port: { type: 'integer' } } } },
        limits: { type: 'object', additionalProperties: { type: 'object', properties: { cpu: { type: 'string' } } } },
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { closed: { type: 'object', properties: { a: { type: 'string' } } } },
        },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { x: { type: 'string' } } } },
        },
        port: { 'x-kubernetes-int-or-string': true },
        flat: { type: 'object', additionalProperties: true },
      },
    },
  },
};

test('prune returns the same value if the value has no unknown fields', () => {
  const value = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', labels: { b: 'c' } }, spec: { replicas: 1 } };
  const pruned = prune(value, schema);
  assert.equal(pruned.value, value);
  assert.deepEqual(pruned.unknownFields, []);
});

test('prune removes unknown fields and returns their paths in order', () => {
  const value = {
    zebra: 1,
    metadata: { name: 'a', colour: 'red', ownerReferences: [{ name: 'o', colour: 'red' }] },
    spec: {
      colour: 'red',
      ports: [{ port: 1 }, { port: 2, colour: 'red' }],
      limits: { a: { cpu: '1', colour: 'red' } },
      port: 'http',
    },
  };
  const before = structuredClone(value);
  const pruned = prune(value, schema);
  assert.deepEqual(pruned.unknownFields, [
    'metadata.colour',
    'metadata.ownerReferences[0].colour',
    'spec.colour',
    'spec.limits.a.colour',
    'spec.ports[1].colour',
    'zebra',
  ]);
  assert.deepEqual(pruned.value, {
    metadata: { name: 'a', ownerReferences: [{ name: 'o' }] },
    spec: { ports: [{ port: 1 }, { port: 2 }], limits: { a: { cpu: '1' } }, port: 'http' },
  });
  assert.deepEqual(value, before);
});

test('prune keeps unknown fields if the schema preserves them, and prunes within declared fields', () => {
  const { value, unknownFields } = prune({ spec: { open: { any: { thing: 1 }, closed: { a: 'b', c: 'd' } } } }, schema);
  assert.deepEqual(value, { spec: { open: { any: { thing: 1 }, closed: { a: 'b' } } } });
  assert.deepEqual(unknownFields, ['spec.open.closed.c']);
});

test('prune keeps the type and the metadata of an embedded resource', () => {
  const template = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 'b' } }, spec: { x: 'y', z: 1 } };
  const { value, unknownFields } = prune({ spec: { template } }, schema);
  assert.deepEqual(value, { spec: { template: { ...template, spec: { x: 'y' } } } });
  assert.deepEqual(unknownFields, ['spec.template.spec.z']);
});

test('prune with additionalProperties: true keeps scalars and prunes nested objects', () => {
  const { value } = prune({ spec: { flat: { a: 1, b: { c: 2 } } } }, schema);
  assert.deepEqual(value, { spec: { flat: { a: 1, b: {} } } });
});

test('prune treats a field with the name of an inherited property of Object as unknown', () => {
  assert.deepEqual(prune({ spec: { toString: 1 } }, schema).unknownFields, ['spec.toString']);
});

test('pruning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('spec', 'metadata', 'a'), fc.object()), (value) => {
      const once = prune(value, schema).value;
      const twice = prune(once, schema);
      assert.equal(twice.value, once);
      assert.deepEqual(twice.unknownFields, []);
    }),
  );
});
