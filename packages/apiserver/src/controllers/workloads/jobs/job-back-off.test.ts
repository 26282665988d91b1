import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { JobBackOff } from './job-back-off.js';

const creationTimestamp = '2026-01-01T00:00:00Z';
const now = new Date(creationTimestamp);
const pod = (uid: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: uid, uid, creationTimestamp, resourceVersion: '1' },
});

test('counts a failed Pod only once if it is passed to two calls', () => {
  const backOff = new JobBackOff();
  backOff.count('a', { succeeded: [], failed: [pod('1')] });
  backOff.count('a', { succeeded: [], failed: [pod('1')] });
  assert.equal(backOff.remainingMs('a', now), 10_000);
  backOff.count('a', { succeeded: [], failed: [pod('1'), pod('2')] });
  assert.equal(backOff.remainingMs('a', now), 20_000);
});
