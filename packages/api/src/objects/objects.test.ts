import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isReady } from './is-ready.js';
import { keyOf } from './key-of.js';
import type { KubeObject, ObjectMeta } from './kube-object.js';
import { mutable } from './mutable.js';
import { controllerOf, isControlledBy } from './ownership.js';

const meta: ObjectMeta = {
  name: 'a',
  namespace: 'n',
  uid: 'u1',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: meta,
  ...rest,
});
const child = (...ownerReferences: object[]): KubeObject =>
  ({ ...object('v1', 'Pod'), metadata: { ...meta, uid: 'u2', ownerReferences } }) as KubeObject;
const condition = (type: string, status: string) => ({
  conditions: [{ type, status, reason: 'R', message: '', lastTransitionTime: '' }],
});

describe('keyOf', () => {
  it('has a namespace only where the object has one', () => {
    assert.deepEqual(keyOf(object('v1', 'Pod')), { namespace: 'n', name: 'a' });
    const { namespace: _, ...cluster } = meta;
    assert.deepEqual(keyOf({ apiVersion: 'v1', kind: 'Node', metadata: cluster }), { name: 'a' });
  });
});

describe('the controller of an object', () => {
  const reference = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: 'u1' };
  it('is the owner reference with controller: true', () => {
    const controller = { ...reference, uid: 'u9', controller: true };
    assert.equal(controllerOf(child(reference, controller)), controller);
    assert.equal(controllerOf(child(reference)), undefined);
    assert.equal(controllerOf(object('v1', 'Pod')), undefined);
  });
  it('is compared by uid', () => {
    const owner = object('v1', 'Owner');
    assert.equal(isControlledBy(child({ ...reference, controller: true }), owner), true);
    assert.equal(isControlledBy(child({ ...reference, controller: true, uid: 'u3' }), owner), false);
    assert.equal(isControlledBy(child(reference), owner), false);
    const unwritten = { ...owner, metadata: { name: 'o' } as ObjectMeta };
    assert.equal(isControlledBy(object('v1', 'Pod'), unwritten), false);
  });
});

describe('mutable', () => {
  it('copies deeply and gives maps and lists of metadata to write to', () => {
    const original = Object.freeze(object('v1', 'Pod', { spec: Object.freeze({ nodeName: 'n' }) }));
    const draft = mutable(original);
    draft.metadata.labels.a = 'b';
    draft.metadata.finalizers.push('f');
    assert.notEqual(draft.metadata, original.metadata);
    assert.equal(original.metadata.labels, undefined);
  });
});

describe('isReady', () => {
  const cases: readonly (readonly [name: string, object: KubeObject, ready: boolean])[] = [
    ['a Pod that is Ready', object('v1', 'Pod', { status: condition('Ready', 'True') }), true],
    ['a Pod without status', object('v1', 'Pod'), false],
    [
      'a Pod that succeeded',
      object('v1', 'Pod', { status: { phase: 'Succeeded', ...condition('Ready', 'False') } }),
      true,
    ],
    ['a ConfigMap', object('v1', 'ConfigMap'), true],
    ['a bound claim', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }), true],
    ['a pending claim', object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }), false],
    ['a ClusterIP Service', object('v1', 'Service', { spec: {} }), true],
    ['a LoadBalancer without an address', object('v1', 'Service', { spec: { type: 'LoadBalancer' } }), false],
    ['a complete Job', object('batch/v1', 'Job', { status: condition('Complete', 'True') }), true],
    ['a running Job', object('batch/v1', 'Job', { status: { active: 1 } }), false],
    ['a kind of its own that is Ready', object('e.com/v1', 'Pod', { status: condition('Ready', 'True') }), true],
    ['a kind of its own that is not Ready', object('e.com/v1', 'Vm', { status: condition('Ready', 'Unknown') }), false],
    ['a kind of its own without conditions', object('e.com/v1', 'Vm'), true],
    ['a DaemonSet nobody has seen', object('apps/v1', 'DaemonSet'), false],
    ['a DaemonSet on no node', object('apps/v1', 'DaemonSet', { status: { desiredNumberScheduled: 0 } }), true],
  ];
  for (const [name, each, ready] of cases) {
    it(`is ${ready} for ${name}`, () => assert.equal(isReady(each), ready));
  }
  it('is false while an object is being deleted', () => {
    const metadata = { ...meta, deletionTimestamp: '2026-01-01T00:00:00Z' };
    assert.equal(isReady({ ...object('v1', 'ConfigMap'), metadata }), false);
  });
  it('waits for the whole roll-out of a Deployment', () => {
    const done = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
    const rollout = (status: object) =>
      isReady({
        ...object('apps/v1', 'Deployment', { spec: { replicas: 3 }, status }),
        metadata: { ...meta, generation: 2 },
      });
    assert.equal(rollout(done), true);
    assert.equal(rollout({ ...done, observedGeneration: 1 }), false);
    assert.equal(rollout({ ...done, replicas: 4 }), false);
    assert.equal(rollout({ ...done, availableReplicas: 2 }), false);
    assert.equal(rollout({}), false);
    assert.equal(isReady(object('apps/v1', 'Deployment', { spec: { replicas: 0 } })), true);
  });
  it('waits for the revision of a StatefulSet', () => {
    const status = { observedGeneration: 1, readyReplicas: 1, currentRevision: 'a', updateRevision: 'b' };
    assert.equal(isReady(object('apps/v1', 'StatefulSet', { spec: {}, status })), false);
    assert.equal(
      isReady(object('apps/v1', 'StatefulSet', { spec: {}, status: { ...status, currentRevision: 'b' } })),
      true,
    );
  });
});
