import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedPaths } from './changed-paths.js';

test('lists changes of spec and status before changes of metadata', () => {
  const labels = (value: string) => Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, value]));
  const old = { kind: 'Foo', metadata: { labels: labels('old') }, spec: { image: 'a' }, status: { phase: 'x' } };
  const now = { ...old, metadata: { labels: labels('new') }, spec: { image: 'b' }, status: { phase: 'y' } };
  const paths = changedPaths(old, now);
  assert.deepEqual(paths.slice(0, 3), ['spec.image', 'status.phase', 'metadata.labels.l0']);
  assert.equal(paths.length, 10);
});

test('lists added, removed and changed fields in the order of the object, and omits fields that the server changes on every write', () => {
  const metadata = { name: 'a', resourceVersion: '1', generation: 1, labels: { generation: 'x' } };
  const old = { metadata, spec: { gone: 1, same: { deep: [1, { a: 1 }] }, list: [1], at: { a: { b: { c: 1 } } } } };
  const now = {
    metadata: { ...metadata, resourceVersion: '2', generation: 2, labels: { generation: 'y' } },
    spec: { same: { deep: [1, { a: 1 }] }, list: [2], at: { a: { b: { c: 2 } } }, came: null },
    resourceVersion: 'of another kind',
  };
  assert.deepEqual(changedPaths(old, now), [
    'spec.gone',
    'spec.list',
    'spec.at.a.b',
    'spec.came',
    'resourceVersion',
    'metadata.labels.generation',
  ]);
  assert.deepEqual(changedPaths(old, structuredClone(old)), []);
});
