import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pruneNulls } from './prune-nulls.js';
import type { StructuralSchema } from './structural-schema.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    plain: { type: 'string' },
    nullable: { type: 'string', nullable: true },
    defaulted: { type: 'string', default: 'a' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'object', properties: { plain: { type: 'string' } } } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

test('pruneNulls removes null fields that the schema does not allow and that have no default', () => {
  const value = {
    plain: null,
    nullable: null,
    defaulted: null,
    map: { a: null, b: 'b' },
    list: [null, { plain: null }],
    open: { any: null },
    unknown: null,
  };
  const before = structuredClone(value);
  assert.deepEqual(pruneNulls(value, schema), {
    nullable: null,
    defaulted: null,
    map: { b: 'b' },
    list: [null, {}],
    open: { any: null },
    unknown: null,
  });
  assert.deepEqual(value, before);
});

test('pruneNulls returns the value itself if there are no null fields to remove', () => {
  const value = { plain: 'a', list: [{ plain: 'b' }, null], map: {} };
  assert.equal(pruneNulls(value, schema), value);
});
