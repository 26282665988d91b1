import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedPaths } from './changed-paths.js';

test('what is changed of spec and status comes before what is changed of the metadata', () => {
  const labels = (value: string) => Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`l${at}`, value]));
  const old = { kind: 'Foo', metadata: { labels: labels('old') }, spec: { image: 'a' }, status: { phase: 'x' } };
  const now = { ...old, metadata: { labels: labels('new') }, spec: { image: 'b' }, status: { phase: 'y' } };
  const paths = changedPaths(old, now);
  assert.deepEqual(paths.slice(0, 3), ['spec.image', 'status.phase', 'metadata.labels.l0']);
  assert.equal(paths.length, 10);
});
