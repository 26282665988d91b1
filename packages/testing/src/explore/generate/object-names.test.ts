import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import type { StructuralSchema } from '@kubewright/api/schema';
import { leastValue } from './field-values.js';
import { withObjectNames } from './object-names.js';

const text: StructuralSchema = { type: 'string' };
const objects = [new Secret({ metadata: { name: 'login' } }), new ConfigMap({ metadata: { name: 'settings' } })];

function leastOf(properties: Readonly<Record<string, StructuralSchema>>): unknown {
  return leastValue(
    'spec',
    withObjectNames({ type: 'object', properties, required: Object.keys(properties) }, objects),
  );
}

test('withObjectNames generates the names of objects in references', () => {
  const reference: StructuralSchema = {
    type: 'object',
    properties: { name: text, key: text },
    required: ['name', 'key'],
  };
  assert.deepEqual(leastOf({ secretName: text, configMapRef: reference, title: text }), {
    secretName: 'login',
    configMapRef: { name: 'settings', key: 'a' },
    title: 'a',
  });
});

test('withObjectNames keeps examples, and fields without an object of the kind', () => {
  assert.deepEqual(leastOf({ secretName: { ...text, example: 'own' }, serviceName: text }), {
    secretName: 'own',
    serviceName: 'a',
  });
});
