import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasAddress } from './has-address.js';
import { isReady } from './is-ready.js';
import { isRunning } from './is-running.js';
import type { KubeObject } from './kube-object.js';

const meta = { name: 'x', uid: 'u', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };
function object(apiVersion: string, kind: string, more: object): KubeObject {
  return { apiVersion, kind, metadata: { ...meta, generation: 2 }, ...more };
}
const condition = (type: string, status: string) => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: '',
});
const crd = (...conditions: object[]) =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { status: { conditions } });
const pod = (phase: string, ...conditions: object[]) => object('v1', 'Pod', { status: { phase, conditions } });
const job = (...conditions: object[]) => object('batch/v1', 'Job', { status: { conditions } });
const deployment = (status: object) => object('apps/v1', 'Deployment', { spec: { replicas: 3 }, status });
const rolledOut = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
const failing = (name: string) => [condition(name, 'False')];
const set = (kind: string, spec: object, status: object) =>
  object('apps/v1', kind, {
    spec: { replicas: 3, ...spec },
    status: { observedGeneration: 2, replicas: 3, ...status },
  });
const ready = { readyReplicas: 3, availableReplicas: 3 };
const between = { ...ready, currentRevision: 'a', updateRevision: 'b' };
const partition = (value: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: value } },
});
const onDelete = { updateStrategy: { type: 'OnDelete' } };
const scheduled = { desiredNumberScheduled: 3, numberAvailable: 3 };
const custom = (status: object) => object('example.com/v1', 'Thing', { status });
const service = (type: string, ...ingress: object[]) =>
  object('v1', 'Service', { spec: { type }, status: { loadBalancer: { ingress } } });

const ROWS: readonly (readonly [what: string, object: KubeObject, isSo: boolean])[] = [
  ['a definition that the server has not looked at', crd(), false],
  ['a definition whose names are accepted', crd(condition('NamesAccepted', 'True')), false],
  ['a definition that is not established', crd(condition('Established', 'False')), false],
  ['a definition that is established', crd(condition('Established', 'True')), true],
  ['a Pod that finds no node', pod('Pending', condition('PodScheduled', 'False')), false],
  ['a Pod that runs and is not ready', pod('Running', condition('Ready', 'False')), false],
  ['a Pod that is ready', pod('Running', condition('Ready', 'True')), true],
  ['a Job that runs', job(), false],
  ['a Job that failed', job(condition('Failed', 'True')), false],
  ['a Job that is complete', job(condition('Complete', 'True')), true],
  ['a Deployment without a status', deployment({}), false],
  ['a Deployment that rolls out', deployment({ ...rolledOut, updatedReplicas: 1 }), false],
  ['a Deployment of which old Pods are left', deployment({ ...rolledOut, replicas: 4 }), false],
  ['a Deployment whose Pods are not available', deployment({ ...rolledOut, availableReplicas: 2 }), false],
  ['a Deployment whose newest state was not seen', deployment({ ...rolledOut, observedGeneration: 1 }), false],
  ['a Deployment that rolled out', deployment(rolledOut), true],
  [
    'a Deployment with more replicas than its spec',
    deployment({ ...rolledOut, replicas: 4, updatedReplicas: 4 }),
    false,
  ],
  ['a Deployment that is not available', deployment({ ...rolledOut, conditions: failing('Available') }), false],
  [
    'a Deployment over its deadline',
    deployment({
      ...rolledOut,
      conditions: [{ ...condition('Progressing', 'False'), reason: 'ProgressDeadlineExceeded' }],
    }),
    false,
  ],
  ['a StatefulSet with all replicas on one revision', set('StatefulSet', {}, ready), true],
  ['a StatefulSet between two revisions', set('StatefulSet', {}, between), false],
  ['a StatefulSet with more replicas than its spec', set('StatefulSet', {}, { ...ready, replicas: 4 }), false],
  ['a StatefulSet with OnDelete between two revisions', set('StatefulSet', onDelete, between), true],
  [
    'a StatefulSet with OnDelete and a Pod that is not ready',
    set('StatefulSet', onDelete, { readyReplicas: 2 }),
    false,
  ],
  ['a StatefulSet above its partition', set('StatefulSet', partition(2), { ...between, updatedReplicas: 1 }), true],
  ['a StatefulSet below its partition', set('StatefulSet', partition(1), { ...between, updatedReplicas: 1 }), false],
  [
    'a StatefulSet with partition 0 in a rollout',
    set('StatefulSet', partition(0), { ...between, updatedReplicas: 2 }),
    false,
  ],
  ['a ReplicaSet with its replicas', set('ReplicaSet', {}, ready), true],
  ['a ReplicaSet with more replicas than its spec', set('ReplicaSet', {}, { ...ready, replicas: 4 }), false],
  ['a ReplicaSet without all labels', set('ReplicaSet', {}, { ...ready, fullyLabeledReplicas: 2 }), false],
  [
    'a ReplicaSet that cannot create Pods',
    set('ReplicaSet', {}, { ...ready, conditions: [condition('ReplicaFailure', 'True')] }),
    false,
  ],
  ['a DaemonSet in a rollout', set('DaemonSet', {}, { ...scheduled, updatedNumberScheduled: 2 }), false],
  [
    'a DaemonSet with OnDelete in a rollout',
    set('DaemonSet', onDelete, { ...scheduled, updatedNumberScheduled: 2 }),
    true,
  ],
  ['a DaemonSet that is rolled out', set('DaemonSet', {}, { ...scheduled, updatedNumberScheduled: 3 }), true],
  ['a disruption budget that was not seen', object('policy/v1', 'PodDisruptionBudget', {}), false],
  [
    'a disruption budget that was seen',
    object('policy/v1', 'PodDisruptionBudget', { status: { observedGeneration: 2 } }),
    true,
  ],
  ['an object without a Ready condition', custom({}), true],
  ['an object whose newest state was not seen', custom({ observedGeneration: 1 }), false],
  ['an object that is reconciling', custom({ conditions: [condition('Reconciling', 'True')] }), false],
  ['an object that is stalled', custom({ conditions: [condition('Stalled', 'True')] }), false],
  ['an object whose Ready condition is unknown', custom({ conditions: [condition('Ready', 'Unknown')] }), false],
  [
    'a definition whose names are taken',
    crd(condition('Established', 'True'), condition('NamesAccepted', 'False')),
    false,
  ],
  ['a Service that needs no load balancer', service('ClusterIP'), true],
  ['a Service whose load balancer is not there', service('LoadBalancer'), false],
  ['a Service whose load balancer has no address', service('LoadBalancer', {}), false],
  ['a Service whose load balancer has an address', service('LoadBalancer', { ip: '192.0.2.1' }), true],
];
for (const [what, given, isSo] of ROWS) {
  test(`[CG-249] ${what} is ${isSo ? '' : 'not '}ready`, () => {
    assert.equal(isReady(given), isSo);
    const { deletionTimestamp: _, ...metadata } = given.metadata;
    assert.equal(isReady({ ...given, metadata: { ...metadata, deletionTimestamp: '2030-01-01T00:00:00Z' } }), false);
  });
}

test('[CG-249] a Pod runs in one phase alone', () => {
  const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];
  assert.deepEqual(
    phases.filter((phase) => isRunning(pod(phase))),
    ['Running'],
  );
  assert.equal(isRunning(object('v1', 'Pod', {})), false);
});

test('[CG-249] an Ingress has an address when each of its load balancers has one', () => {
  const ingress = (...balancers: object[]) =>
    object('networking.k8s.io/v1', 'Ingress', { status: { loadBalancer: { ingress: balancers } } });
  assert.equal(hasAddress(object('networking.k8s.io/v1', 'Ingress', {})), false);
  assert.equal(hasAddress(ingress()), false);
  assert.equal(hasAddress(ingress({ ip: '192.0.2.1' }, {})), false);
  assert.equal(hasAddress(ingress({ ip: '192.0.2.1' }, { hostname: 'lb.example.com' })), true);
});
