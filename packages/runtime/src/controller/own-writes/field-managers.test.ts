import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { latestManager, managersOf } from './field-managers.js';

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    uid: '',
    resourceVersion: '',
    creationTimestamp: '',
    managedFields: [
      { manager: 'web', time: '2030-01-01T00:00:02Z', fieldsV1: { 'f:data': { 'f:a.b': {} } } },
      { manager: 'hpa', time: '2030-01-01T00:00:01Z', fieldsV1: { 'f:spec': { 'f:ports': { 'k:{"name":"x"}': {} } } } },
      { manager: 'old', time: '2029-01-01T00:00:01Z', fieldsV1: { 'f:data': { 'f:a.b': {}, 'f:c': {} } } },
    ],
  },
} as KubeObject;

test('returns the managers of a field, also if its name contains dots or if it is a list with managed items', () => {
  assert.deepEqual(managersOf(object, ['data', 'a.b']), ['web', 'old']);
  assert.deepEqual(managersOf(object, ['data', 'c']), ['old']);
  assert.deepEqual(managersOf(object, ['spec', 'ports']), ['hpa']);
  assert.deepEqual(managersOf(object, ['spec', 'replicas']), []);
});

test('returns the manager with the latest write, except the given manager', () => {
  assert.equal(latestManager(object, 'web'), 'hpa');
  assert.equal(latestManager(object, 'hpa'), 'web');
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  assert.equal(latestManager({ ...object, metadata }, 'web'), undefined);
});
