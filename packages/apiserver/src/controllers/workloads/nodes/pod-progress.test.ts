import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt } from '../../../registry/objects/json-object.js';
import { ended, started } from './pod-progress.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'once', namespace: 'default' },
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', 'exit 0'] }] },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: 'earlier' }] },
} as unknown as ApiObject;

test('a condition gets a new transition time only if its status changes', () => {
  const running = started(pod, { now: 'at the start', podIp: '10.0.0.1' });
  const done = ended(running, 'at the end');
  assert.ok(done);
  const times = objectsAt(done, 'status', 'conditions').map(({ type, lastTransitionTime }) => [
    type,
    lastTransitionTime,
  ]);
  assert.deepEqual(Object.fromEntries(times), {
    PodScheduled: 'earlier',
    Initialized: 'at the start',
    Ready: 'at the end',
    ContainersReady: 'at the end',
  });
});
