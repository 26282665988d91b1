import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StructuralSchema } from '@kubewright/api/schema';
import { SchemaKeys } from './schema-keys.js';

const text: StructuralSchema = { type: 'string', description: 'A text.' };
const nested = (depth: number, leaf = text): StructuralSchema =>
  depth === 0 ? leaf : { type: 'object', properties: { field: nested(depth - 1, leaf) } };

describe('SchemaKeys', () => {
  it('SchemaKeys returns equal texts for schemas that differ only in the order of keys', () => {
    const keys = new SchemaKeys();
    const [one, other] = [
      { type: 'object', properties: { a: text, b: nested(3) } } as const,
      { properties: { b: nested(3), a: { description: 'A text.', type: 'string' } }, type: 'object' } as const,
    ];
    assert.equal(keys.keyOf(one), keys.keyOf(other));
  });
  it('SchemaKeys returns different texts for schemas that differ at any depth', () => {
    const keys = new SchemaKeys();
    const schemas: readonly StructuralSchema[] = [
      nested(9),
      nested(8),
      nested(9, { type: 'string' }),
      { type: 'array', items: text },
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: true },
      { type: 'object' },
    ];
    assert.equal(new Set(schemas.map((each) => keys.keyOf(each))).size, schemas.length);
  });
  it('SchemaKeys returns texts whose length does not depend on the depth of the schema', () => {
    assert.ok(new SchemaKeys().keyOf(nested(500)).length < 100);
  });
});
