import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { mergeConfiguration } from './merge-configuration.js';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              value: { type: 'string' },
              args: { type: 'array', items: { type: 'string' } },
            },
          },
        },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { app: { type: 'string' } } },
      },
    },
  },
};
const live = { spec: { size: 1, items: [{ name: 'a', value: '1' }] } };

test('mergeConfiguration merges maps by key and lists by the keys of their items', () => {
  const configuration = { spec: { items: [{ name: 'b' }, { name: 'a', value: '2' }] } };
  assert.deepEqual(mergeConfiguration(live, configuration, schema), {
    object: { spec: { size: 1, items: [{ name: 'b' }, { name: 'a', value: '2' }] } },
  });
  assert.deepEqual(live, { spec: { size: 1, items: [{ name: 'a', value: '1' }] } });
});

test('mergeConfiguration rejects fields that the schema does not declare, and values of the wrong type', () => {
  assert.deepEqual(mergeConfiguration(live, { spec: { other: 1 } }, schema), {
    error: 'failed to convert patch object to typed object: .spec.other: field not declared in schema',
  });
  const result = mergeConfiguration(live, { spec: { size: 'a', items: {} } }, schema);
  assert.ok('error' in result);
  assert.match(result.error, /errors:\n {2}\.spec\.size: expected numeric/);
});

test('mergeConfiguration rejects atomic lists and maps, and reports their paths', () => {
  const configuration = { spec: { selector: { app: 'a' }, items: [{ name: 'a', args: ['x'] }] } };
  assert.deepEqual(mergeConfiguration(live, configuration, schema), {
    error:
      'invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector, .spec.items[0].args',
  });
});
