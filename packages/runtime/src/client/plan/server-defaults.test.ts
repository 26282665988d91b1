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

test('keeps the defaults that the server filled into an atomic list', () => {
  const current = set(claim(filled, { volumeMode: 'Filesystem' }));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), current);
});

test('does not keep a value that is not the default', () => {
  const current = set(claim(filled, { volumeMode: 'Block', storageClassName: 'fast' }));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), set(claim(filled)));
});

test('copies nothing from a list of another length', () => {
  const current = set(claim(filled), claim(filled));
  assert.deepEqual(withServerDefaults(set(claim()), current, schema), set(claim()));
});
