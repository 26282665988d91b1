import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInSchema } from '@kubewright/api/built-in';
import { withServerDefaults } from './server-defaults.js';

const schema = builtInSchema('apps/v1', 'StatefulSet');
const claim = (more: object = {}, spec: object = {}) => ({
  ...more,
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], ...spec },
});
const set = (...volumeClaimTemplates: object[]) => ({ spec: { volumeClaimTemplates } });
const filled = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } };

test('keeps default values that the server set in the items of an atomic list', () => {
  const current = set(claim(filled, { volumeMode: 'Filesystem' }));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), current);
});

test('does not keep a value that is not the default', () => {
  const current = set(claim(filled, { volumeMode: 'Block', storageClassName: 'fast' }));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), set(claim(filled)));
});

test('keeps no values if the lengths of the lists differ', () => {
  const current = set(claim(filled), claim(filled));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), set(claim()));
});
