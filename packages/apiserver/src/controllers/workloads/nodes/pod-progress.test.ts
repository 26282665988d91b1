import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt } from '../../../registry/objects/json-object.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';
import { hasOutdatedImage, podStep } from './pod-progress.js';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'once', namespace: 'default', uid: 'u' },
  spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', 'exit 0'] }] },
  status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: 'earlier' }] },
} as unknown as ApiObject;

const step = (before: ApiObject, now: string): ApiObject =>
  podStep(before, {
    simulated: new SimulatedPods(),
    now,
    host: '10.0.0.9',
    address: () => '10.0.0.1',
    elapsedMs: () => 0,
  }).pod;

test('a condition gets a new transition time only if its status changes', () => {
  const done = step(step(pod, 'at the start'), 'at the end');
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

test('a change of an image restarts the running containers with this image, and no other container', () => {
  const spec = {
    containers: [
      { name: 'main', image: 'nginx:1' },
      { name: 'log', image: 'log:1' },
    ],
    initContainers: [
      { name: 'setup', image: 'setup:1' },
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' },
    ],
  };
  const running = step({ ...pod, spec }, 'at the start');
  assert.ok(!hasOutdatedImage(running));
  const changed = {
    ...running,
    spec: {
      containers: [{ name: 'main', image: 'nginx:2' }, spec.containers[1]],
      initContainers: [
        { name: 'setup', image: 'setup:2' },
        { name: 'proxy', image: 'proxy:2', restartPolicy: 'Always' },
      ],
    },
  } as unknown as ApiObject;
  assert.ok(hasOutdatedImage(changed));
  const after = step(changed, 'at the change');
  assert.ok(!hasOutdatedImage(after));
  const statuses = ['containerStatuses', 'initContainerStatuses'].flatMap((field) => objectsAt(after, 'status', field));
  assert.deepEqual(
    statuses.map(({ name, image, restartCount }) => [name, image, restartCount]),
    [
      ['main', 'nginx:2', 1],
      ['log', 'log:1', 0],
      ['setup', 'setup:1', 0],
      ['proxy', 'proxy:2', 1],
    ],
  );
  assert.deepEqual(statuses[0]?.['state'], { running: { startedAt: 'at the change' } });
  assert.deepEqual(statuses[0]?.['lastState'], {
    terminated: { exitCode: 0, finishedAt: 'at the change', reason: 'Completed', startedAt: 'at the start' },
  });
});
