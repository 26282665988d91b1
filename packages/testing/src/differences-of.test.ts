import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf } from './differences-of.js';

const metadata = { name: 'a', uid: '1', resourceVersion: '7', labels: { app: 'web', tier: 'front' } };

test('[OT-23] differencesOf ignores fields that the server sets, unless serverFields is true', () => {
  const served = { metadata: { ...metadata, uid: '2', generation: 3, managedFields: [] }, spec: { replicas: 2 } };
  assert.deepEqual(differencesOf({ metadata, spec: { replicas: 2 } }, served), []);
  assert.deepEqual(differencesOf({ metadata }, { metadata: { ...metadata, uid: '2' } }, { serverFields: true }), [
    'metadata.uid',
  ]);
});

test('[OT-23] differencesOf reports the path of each different, missing or additional field', () => {
  const one = { metadata, spec: { replicas: 2, paused: true } };
  const other = { metadata: { ...metadata, labels: { app: 'api' } }, spec: { replicas: 3 }, status: { ready: true } };
  const differences = ['metadata.labels.app', 'metadata.labels.tier', 'spec.paused', 'spec.replicas', 'status.ready'];
  assert.deepEqual(differencesOf(one, other), differences);
  assert.deepEqual(differencesOf(other, one), differences);
});

test('[OT-23] differencesOf with `ignore` excludes a path and its subpaths, but not other paths that start with the same text', () => {
  const one = { spec: { image: 'a', imagePolicy: 'Always' }, status: { phase: 'x', deep: { er: 1 } } };
  const other = { spec: { image: 'b', imagePolicy: 'Never' }, status: { phase: 'y', deep: { er: 2 } } };
  assert.deepEqual(differencesOf(one, other, { ignore: ['status', 'spec.image'] }), ['spec.imagePolicy']);
});

test('[OT-23] differencesOf compares only the paths in `only`, except their subpaths in `ignore`', () => {
  const one = { spec: { a: 1, b: 1 }, status: { c: 1 } };
  const other = { spec: { a: 2, b: 2 }, status: { c: 2 } };
  assert.deepEqual(differencesOf(one, other, { only: ['spec'] }), ['spec.a', 'spec.b']);
  assert.deepEqual(differencesOf(one, other, { only: ['spec'], ignore: ['spec.b'] }), ['spec.a']);
});

test('[OT-23] differencesOf compares lists as a whole, treats undefined as missing, and reports a missing empty map', () => {
  assert.deepEqual(differencesOf({ list: [1, 2] }, { list: [2, 1] }), ['list']);
  assert.deepEqual(differencesOf({ list: [{ a: 1 }] }, { list: [{ a: 1 }] }), []);
  assert.deepEqual(differencesOf({ a: undefined, b: { c: undefined } }, { b: {} }), []);
  assert.deepEqual(differencesOf({ b: {} }, {}), ['b']);
  assert.deepEqual(differencesOf({ b: { c: 1 } }, { b: 'text' }), ['b']);
  assert.deepEqual(differencesOf({ b: null }, { b: {} }), ['b']);
});
