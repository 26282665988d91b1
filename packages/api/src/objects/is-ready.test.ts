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
function withoutGeneration(given: KubeObject): KubeObject {
  return { ...given, metadata: meta };
}
const condition = (type: string, status: string, reason = 'R') => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: '',
});
const withConditions = (...conditions: object[]) => ({ status: { conditions } });
const yes = (type: string) => condition(type, 'True');
const no = (type: string) => condition(type, 'False');

const custom = (status: object) => object('example.com/v1', 'Thing', { status });
const crd = (...conditions: object[]) =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', withConditions(...conditions));
const pod = (phase: string, ...conditions: object[]) => object('v1', 'Pod', { status: { phase, conditions } });
const claim = (phase: string) => object('v1', 'PersistentVolumeClaim', { status: { phase } });
const service = (spec: object, ...ingress: object[]) =>
  object('v1', 'Service', { spec, status: { loadBalancer: { ingress } } });
const node = (...conditions: object[]) => object('v1', 'Node', withConditions(...conditions));
const job = (spec: object, status: object) => object('batch/v1', 'Job', { spec, status });
const started = { startTime: '2030-01-01T00:00:00Z' };
const budget = (status: object) => object('policy/v1', 'PodDisruptionBudget', { status });

/** Returns a workload with 3 replicas whose status has the current generation. */
const workload = (kind: string, spec: object, status: object) =>
  object('apps/v1', kind, {
    spec: { replicas: 3, ...spec },
    status: { observedGeneration: 2, replicas: 3, readyReplicas: 3, ...status },
  });
const unobserved = { observedGeneration: undefined };

const progressing = (status: string, reason: string) => ({
  conditions: [yes('Available'), condition('Progressing', status, reason)],
});
const progressed = progressing('True', 'NewReplicaSetAvailable');
const deployment = (status: object, spec: object = { progressDeadlineSeconds: 600 }) =>
  workload('Deployment', spec, { updatedReplicas: 3, availableReplicas: 3, ...progressed, ...status });
const replicaSet = (status: object) =>
  workload('ReplicaSet', {}, { fullyLabeledReplicas: 3, availableReplicas: 3, ...status });
const statefulSet = (spec: object, status: object) => workload('StatefulSet', spec, status);
const partition = (value: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: value } },
});
const onDelete = { updateStrategy: { type: 'OnDelete' } };
const between = { currentReplicas: 3, updatedReplicas: 3, currentRevision: 'a', updateRevision: 'b' };
const oneRevision = { ...between, updateRevision: 'a' };
const scheduled = { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberAvailable: 3, numberReady: 3 };
const daemonSet = (spec: object, status: object) =>
  object('apps/v1', 'DaemonSet', {
    spec,
    status: { observedGeneration: 2, updatedNumberScheduled: 3, ...scheduled, ...status },
  });

const BROKEN = 'kstatus reports failures as Current when the controller has finished';
const RUNNING = 'kstatus reports a Job as Current when it starts or is suspended';
const UNOBSERVED = 'kstatus requires an observedGeneration of DaemonSets only';
const UNREADY = 'kstatus does not read the status of a StatefulSet with OnDelete';
const BY_USER = 'with OnDelete, the user decides when Pods of a DaemonSet are updated';
const ADDRESS = 'kstatus does not read the address of a load balancer';
const NO_NODE = 'kstatus has no rule for Nodes';
const ORDER = 'kstatus uses the first of the conditions Established and NamesAccepted';
const INVALID = 'kstatus ignores a Ready condition with an invalid status';

/**
 * The status that `pkg/kstatus/status` of cli-utils computes for each object. `isReady` is true for `Current`, except in the rows that name
 * a difference.
 */
const ROWS: readonly (readonly [
  what: string,
  object: KubeObject,
  kstatus: 'Current' | 'InProgress' | 'Failed' | 'Error',
  difference?: string,
])[] = [
  ['an object without a status', object('example.com/v1', 'Thing', {}), 'Current'],
  ['an object without a Ready condition', custom({ conditions: [no('Synced')] }), 'Current'],
  ['an object whose Ready condition is true', custom({ conditions: [yes('Ready')] }), 'Current'],
  ['an object whose Ready condition is false', custom({ conditions: [no('Ready')] }), 'InProgress'],
  ['an object whose Ready condition is unknown', custom({ conditions: [condition('Ready', 'Unknown')] }), 'InProgress'],
  ['an object whose Ready condition is invalid', custom({ conditions: [condition('Ready', '')] }), 'Current', INVALID],
  ['an object with an older observedGeneration', custom({ observedGeneration: 1 }), 'InProgress'],
  ['an object with a newer observedGeneration', custom({ observedGeneration: 3 }), 'InProgress'],
  ['an object with the current observedGeneration', custom({ observedGeneration: 2 }), 'Current'],
  ['an object without a generation', withoutGeneration(custom({ observedGeneration: 1 })), 'Current'],
  ['an object that is reconciling', custom({ conditions: [yes('Ready'), yes('Reconciling')] }), 'InProgress'],
  ['an object that is stalled', custom({ conditions: [yes('Ready'), yes('Stalled')] }), 'Failed'],
  [
    'an object that is neither reconciling nor stalled',
    custom({ conditions: [no('Reconciling'), no('Stalled')] }),
    'Current',
  ],
  ['a ConfigMap', object('v1', 'ConfigMap', { data: {} }), 'Current'],
  ['a Secret', object('v1', 'Secret', { data: {} }), 'Current'],
  ['a CronJob', object('batch/v1', 'CronJob', { status: {} }), 'Current'],
  ['a Namespace', object('v1', 'Namespace', { status: { phase: 'Active' } }), 'Current'],
  ['a Node without conditions', node(), 'Current', NO_NODE],
  ['a Node that is not ready', node(no('Ready')), 'InProgress'],
  ['a Node that is ready', node(yes('Ready')), 'Current'],

  ['a CustomResourceDefinition without conditions', crd(), 'InProgress'],
  ['a CustomResourceDefinition with accepted names', crd(yes('NamesAccepted')), 'InProgress'],
  [
    'a CustomResourceDefinition that is being installed',
    crd(condition('Established', 'False', 'Installing')),
    'InProgress',
  ],
  ['a CustomResourceDefinition that is not established', crd(no('Established')), 'Failed'],
  ['a CustomResourceDefinition that is established', crd(yes('Established')), 'Current'],
  ['a CustomResourceDefinition with rejected names', crd(no('NamesAccepted'), yes('Established')), 'Failed'],
  [
    'a CustomResourceDefinition whose names are rejected after it is established',
    crd(yes('Established'), no('NamesAccepted')),
    'Current',
    ORDER,
  ],
  [
    'a CustomResourceDefinition with the status Unknown for NamesAccepted',
    crd(condition('NamesAccepted', 'Unknown'), yes('Established')),
    'Current',
  ],

  ['a Pod without a status', object('v1', 'Pod', {}), 'InProgress'],
  ['a Pod without a phase', object('v1', 'Pod', withConditions(yes('Ready'))), 'InProgress'],
  ['a Pod that is pending', pod('Pending'), 'InProgress'],
  ['a Pod that cannot be scheduled', pod('Pending', condition('PodScheduled', 'False', 'Unschedulable')), 'InProgress'],
  ['a Pod that runs and is not ready', pod('Running', no('Ready')), 'InProgress'],
  ['a Pod that runs and is ready', pod('Running', yes('Ready')), 'Current'],
  ['a Pod that succeeded', pod('Succeeded', no('Ready')), 'Current'],
  ['a Pod that failed', pod('Failed', no('Ready')), 'Current', BROKEN],
  ['a Pod with an unknown phase', pod('Unknown', yes('Ready')), 'Error'],

  ['a PersistentVolumeClaim without a status', object('v1', 'PersistentVolumeClaim', {}), 'InProgress'],
  ['a PersistentVolumeClaim that is pending', claim('Pending'), 'InProgress'],
  ['a PersistentVolumeClaim that lost its volume', claim('Lost'), 'InProgress'],
  ['a PersistentVolumeClaim that is bound', claim('Bound'), 'Current'],

  ['a Service without a type', service({}), 'Current'],
  ['a Service without a load balancer', service({ type: 'ClusterIP' }), 'Current'],
  ['a LoadBalancer Service without a cluster IP', service({ type: 'LoadBalancer' }, { ip: '192.0.2.1' }), 'InProgress'],
  [
    'a LoadBalancer Service without an address',
    service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }),
    'Current',
    ADDRESS,
  ],
  [
    'a LoadBalancer Service with an empty address',
    service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }, {}),
    'Current',
    ADDRESS,
  ],
  [
    'a LoadBalancer Service with an address',
    service({ type: 'LoadBalancer', clusterIP: '10.0.0.1' }, { ip: '192.0.2.1' }),
    'Current',
  ],

  ['a Job that has not started', job({}, {}), 'InProgress'],
  ['a Job that runs', job({}, { ...started, active: 1 }), 'Current', RUNNING],
  ['a Job that is suspended', job({ suspend: true }, { conditions: [yes('Suspended')] }), 'Current', RUNNING],
  ['a Job that failed', job({}, { ...started, conditions: [yes('Failed')] }), 'Failed'],
  ['a Job that is complete', job({}, { ...started, conditions: [yes('Complete')] }), 'Current'],

  ['a PodDisruptionBudget without a status', budget({}), 'Current', UNOBSERVED],
  ['a PodDisruptionBudget with an older observedGeneration', budget({ observedGeneration: 1 }), 'InProgress'],
  ['a PodDisruptionBudget with the current observedGeneration', budget({ observedGeneration: 2 }), 'Current'],

  ['a Deployment without a status', object('apps/v1', 'Deployment', {}), 'InProgress'],
  ['a Deployment that is rolled out', deployment({}), 'Current'],
  ['a Deployment in the group extensions', { ...deployment({}), apiVersion: 'extensions/v1beta1' }, 'Current'],
  [
    'a Deployment in the group extensions with too few replicas',
    { ...deployment({ replicas: 2 }), apiVersion: 'extensions/v1beta1' },
    'InProgress',
  ],
  ['a Deployment with an older observedGeneration', deployment({ observedGeneration: 1 }), 'InProgress'],
  ['a Deployment without an observedGeneration', deployment(unobserved), 'Current', UNOBSERVED],
  ['a Deployment without a generation', withoutGeneration(deployment(unobserved)), 'Current'],
  ['a Deployment with too few replicas', deployment({ replicas: 2 }), 'InProgress'],
  [
    'a Deployment with too many replicas',
    deployment({ replicas: 4, updatedReplicas: 4, availableReplicas: 4 }),
    'InProgress',
  ],
  ['a Deployment with old Pods', deployment({ updatedReplicas: 2 }), 'InProgress'],
  ['a Deployment with Pods that are not ready', deployment({ readyReplicas: 2 }), 'InProgress'],
  ['a Deployment with Pods that are not available', deployment({ availableReplicas: 2 }), 'InProgress'],
  ['a Deployment with updated Pods that are not available', deployment({ updatedReplicas: 4 }), 'InProgress'],
  ['a Deployment without conditions', deployment({ conditions: [] }), 'InProgress'],
  ['a Deployment without the condition Progressing', deployment({ conditions: [yes('Available')] }), 'InProgress'],
  ['a Deployment without a progress deadline', deployment({ conditions: [yes('Available')] }, {}), 'Current'],
  [
    'a Deployment with the largest progress deadline',
    deployment({ conditions: [yes('Available')] }, { progressDeadlineSeconds: 2_147_483_647 }),
    'Current',
  ],
  ['a Deployment without the condition Available', deployment({ conditions: [] }, {}), 'InProgress'],
  ['a Deployment that is not available', deployment({ conditions: [no('Available')] }, {}), 'InProgress'],
  ['a Deployment that makes progress', deployment(progressing('True', 'ReplicaSetUpdated')), 'InProgress'],
  ['a Deployment that is paused', deployment(progressing('Unknown', 'DeploymentPaused')), 'InProgress'],
  [
    'a Deployment whose condition Progressing is Unknown',
    deployment(progressing('Unknown', 'NewReplicaSetAvailable')),
    'InProgress',
  ],
  ['a Deployment after its progress deadline', deployment(progressing('False', 'ProgressDeadlineExceeded')), 'Failed'],
  [
    'a Deployment whose exceeded progress deadline was removed',
    deployment(progressing('False', 'ProgressDeadlineExceeded'), {}),
    'Failed',
  ],
  [
    'a Deployment that is scaled to 0',
    deployment({ replicas: 0, readyReplicas: 0, updatedReplicas: 0, availableReplicas: 0 }, { replicas: 0 }),
    'Current',
  ],

  ['a ReplicaSet with all replicas', replicaSet({}), 'Current'],
  ['a ReplicaSet in the group extensions', { ...replicaSet({}), apiVersion: 'extensions/v1beta1' }, 'Current'],
  [
    'a ReplicaSet in the group extensions with too many replicas',
    { ...replicaSet({ replicas: 4 }), apiVersion: 'extensions/v1beta1' },
    'InProgress',
  ],
  ['a ReplicaSet without an observedGeneration', replicaSet(unobserved), 'Current', UNOBSERVED],
  ['a ReplicaSet with too many replicas', replicaSet({ replicas: 4 }), 'InProgress'],
  ['a ReplicaSet with Pods that are not ready', replicaSet({ readyReplicas: 2 }), 'InProgress'],
  ['a ReplicaSet with Pods that are not available', replicaSet({ availableReplicas: 2 }), 'InProgress'],
  [
    'a ReplicaSet with Pods that do not have all labels of the template',
    replicaSet({ fullyLabeledReplicas: 2 }),
    'InProgress',
  ],
  ['a ReplicaSet without fullyLabeledReplicas', replicaSet({ fullyLabeledReplicas: undefined }), 'InProgress'],
  ['a ReplicaSet that cannot create Pods', replicaSet({ conditions: [yes('ReplicaFailure')] }), 'InProgress'],

  ['a StatefulSet with all Pods of one revision', statefulSet({}, oneRevision), 'Current'],
  [
    'a StatefulSet without an observedGeneration',
    statefulSet({}, { ...oneRevision, ...unobserved }),
    'Current',
    UNOBSERVED,
  ],
  ['a StatefulSet with too few replicas', statefulSet({}, { ...oneRevision, replicas: 2 }), 'InProgress'],
  ['a StatefulSet with too many replicas', statefulSet({}, { ...oneRevision, replicas: 4 }), 'InProgress'],
  ['a StatefulSet with Pods that are not ready', statefulSet({}, { ...oneRevision, readyReplicas: 2 }), 'InProgress'],
  ['a StatefulSet with too few current Pods', statefulSet({}, { ...oneRevision, currentReplicas: 2 }), 'InProgress'],
  ['a StatefulSet between two revisions', statefulSet({}, between), 'InProgress'],
  [
    'a StatefulSet without a current revision',
    statefulSet({}, { ...between, currentRevision: undefined }),
    'InProgress',
  ],
  ['a StatefulSet with partition 0 and all Pods updated', statefulSet(partition(0), between), 'Current'],
  [
    'a StatefulSet with partition 0 and old Pods',
    statefulSet(partition(0), { ...between, updatedReplicas: 2 }),
    'InProgress',
  ],
  [
    'a StatefulSet with updated Pods above its partition',
    statefulSet(partition(2), { ...between, updatedReplicas: 1 }),
    'Current',
  ],
  [
    'a StatefulSet with old Pods above its partition',
    statefulSet(partition(1), { ...between, updatedReplicas: 1 }),
    'InProgress',
  ],
  [
    'a StatefulSet with a partition above its replicas',
    statefulSet(partition(5), { ...between, updatedReplicas: 0 }),
    'Current',
  ],
  [
    'a StatefulSet with a partition and Pods that are not ready',
    statefulSet(partition(2), { ...between, readyReplicas: 2 }),
    'InProgress',
  ],
  [
    'a StatefulSet with OnDelete between two revisions',
    statefulSet(onDelete, { ...between, updatedReplicas: 0 }),
    'Current',
  ],
  [
    'a StatefulSet with OnDelete and Pods that are not ready',
    statefulSet(onDelete, { readyReplicas: 2 }),
    'Current',
    UNREADY,
  ],
  ['a StatefulSet with OnDelete and too many replicas', statefulSet(onDelete, { replicas: 4 }), 'Current', UNREADY],

  ['a DaemonSet without a status', object('apps/v1', 'DaemonSet', {}), 'InProgress'],
  ['a DaemonSet with all Pods', daemonSet({}, {}), 'Current'],
  ['a DaemonSet in the group extensions', { ...daemonSet({}, {}), apiVersion: 'extensions/v1beta1' }, 'Current'],
  ['a DaemonSet in the group extensions without a status', object('extensions/v1beta1', 'DaemonSet', {}), 'InProgress'],
  [
    'a DaemonSet that selects no Node',
    object('apps/v1', 'DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 0 } }),
    'Current',
  ],
  ['a DaemonSet without a generation', withoutGeneration(daemonSet({}, {})), 'InProgress'],
  ['a DaemonSet without an observedGeneration', daemonSet({}, unobserved), 'InProgress'],
  ['a DaemonSet without desiredNumberScheduled', daemonSet({}, { desiredNumberScheduled: undefined }), 'InProgress'],
  ['a DaemonSet with too few Pods', daemonSet({}, { currentNumberScheduled: 2 }), 'InProgress'],
  ['a DaemonSet with old Pods', daemonSet({}, { updatedNumberScheduled: 2 }), 'InProgress'],
  ['a DaemonSet with Pods that are not available', daemonSet({}, { numberAvailable: 2 }), 'InProgress'],
  ['a DaemonSet with Pods that are not ready', daemonSet({}, { numberReady: 2 }), 'InProgress'],
  ['a DaemonSet with OnDelete and old Pods', daemonSet(onDelete, { updatedNumberScheduled: 2 }), 'InProgress', BY_USER],
  ['a DaemonSet with OnDelete and too few Pods', daemonSet(onDelete, { currentNumberScheduled: 2 }), 'InProgress'],
];
for (const [what, given, kstatus, difference] of ROWS) {
  const expected = (kstatus === 'Current') === (difference === undefined);
  const reason = difference === undefined ? '' : `, although kstatus reports ${kstatus}: ${difference}`;
  test(`[CG-249] ${what} is ${expected ? '' : 'not '}ready${reason}`, () => {
    assert.equal(isReady(given), expected);
    const metadata = { ...given.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' };
    assert.equal(isReady({ ...given, metadata }), false);
  });
}

test('[CG-249] a Pod is running only in the phase Running', () => {
  const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];
  assert.deepEqual(
    phases.filter((phase) => isRunning(pod(phase))),
    ['Running'],
  );
  assert.equal(isRunning(object('v1', 'Pod', {})), false);
});

test('[CG-249] an Ingress has an address if each of its load balancers has an address', () => {
  const ingress = (...balancers: object[]) =>
    object('networking.k8s.io/v1', 'Ingress', { status: { loadBalancer: { ingress: balancers } } });
  assert.equal(hasAddress(object('networking.k8s.io/v1', 'Ingress', {})), false);
  assert.equal(hasAddress(ingress()), false);
  assert.equal(hasAddress(ingress({ ip: '192.0.2.1' }, {})), false);
  assert.equal(hasAddress(ingress({ ip: '192.0.2.1' }, { hostname: 'lb.example.com' })), true);
});
