import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '@kubewright/api/schema';
import { differentSpec, richSpec } from './other-specs.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    domain: { type: 'string' },
    mode: { type: 'string', enum: ['a', 'b'] },
    tls: {
      type: 'object',
      properties: { enabled: { type: 'boolean' }, secret: { type: 'string' } },
    },
    hosts: { type: 'array', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['domain'],
};

test('richSpec sets optional fields, also in nested objects', () => {
  assert.deepEqual(
    richSpec({ domain: 'x', tls: { enabled: false } }, schema, () => true),
    {
      domain: 'x',
      mode: 'a',
      tls: { enabled: true, secret: 'a' },
      hosts: ['a.example.com'],
      labels: { 'example.com/added': 'a' },
    },
  );
});

test('richSpec omits fields that make the spec invalid', () => {
  const isValid = (spec: unknown): boolean => !('hosts' in (spec as object));
  assert.equal('hosts' in (richSpec({ domain: 'x' }, schema, isValid) as object), false);
});

test('differentSpec changes the texts of the spec, and adds no fields', () => {
  assert.deepEqual(
    differentSpec({ domain: 'x', tls: { secret: 'y' } }, schema, () => true),
    {
      domain: 'a.example.com',
      tls: { secret: 'a' },
    },
  );
  assert.deepEqual(
    differentSpec({ domain: 'x' }, schema, () => false),
    { domain: 'x' },
  );
});
