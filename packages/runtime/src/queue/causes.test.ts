import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cause } from './cause.js';
import { addCause, describeCause } from './causes.js';

test('merges causes of the same kind and source, and their paths', () => {
  const causes: Cause[] = [];
  addCause(causes, { kind: 'modified', changedPaths: ['spec.image'] });
  addCause(causes, { kind: 'owned', source: 'Pod default/a' });
  addCause(causes, { kind: 'modified', changedPaths: ['spec.image', 'spec.disk'] });
  assert.deepEqual(causes, [
    { kind: 'modified', changedPaths: ['spec.image', 'spec.disk'] },
    { kind: 'owned', source: 'Pod default/a' },
  ]);
});

test('keeps only the first eight causes and the first ten paths', () => {
  const causes: Cause[] = [];
  for (let at = 0; at < 20; at++) addCause(causes, { kind: 'owned', source: `Pod default/${at}` });
  assert.equal(causes.length, 8);
  const modified: Cause[] = [];
  for (let at = 0; at < 20; at++) addCause(modified, { kind: 'modified', changedPaths: [`spec.field${at}`] });
  assert.equal(modified[0]?.changedPaths?.length, 10);
});

test('describes a cause on one line', () => {
  assert.equal(describeCause({ kind: 'manual' }), 'manual');
  assert.equal(
    describeCause({ kind: 'owned', source: 'Pod default/a', changedPaths: ['status.phase'] }),
    'owned Pod default/a status.phase',
  );
});
