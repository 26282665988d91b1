import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { isConflict } from '@kubewright/api/errors';
import { bootstrap } from '../registry/bootstrap.js';
import type { ApiObject } from '../registry/objects/api-object.js';
import { stringAt } from '../registry/objects/json-object.js';
import { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/requests/request-context.js';
import { Store } from '../storage/store.js';
import { GarbageCollector } from './guarantees/garbage-collector.js';
import { referenceText } from './objects/object-reference.js';
import { VolumeProtection } from './guarantees/volume-protection.js';
import { resolveNodes } from './simulation/node-declaration.js';
import { SimulatedPods } from './simulation/simulated-pods.js';
import { Kubelet } from './workloads/nodes/kubelet.js';
import { Scheduler } from './workloads/scheduling/scheduler.js';
import { VolumeBinder } from './workloads/volumes/volume-binder.js';

const namespace = 'default';
const context = systemContext('test', 'update');
const nothing = { add: () => undefined, addAfter: () => undefined };
const simulated = new SimulatedPods(resolveNodes(1));
const labeled = (live: ApiObject): object => ({ ...live, metadata: { ...live.metadata, labels: { a: 'b' } } });

function startRegistry(): Registry {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  return registry;
}

/** Runs the first step, changes the object, and runs the other steps, which must end with a conflict. */
function assertConflict(steps: Steps<void>, change: () => unknown): void {
  assert.equal(steps.next().done, false);
  change();
  assert.throws(() => finish(steps), isConflict);
}

test('volume protection does not overwrite a claim that changes between the steps of a sync', () => {
  const registry = startRegistry();
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  const finalizers = ['kubernetes.io/pvc-protection'];
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  claims.create(
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a', namespace, finalizers }, spec },
    context,
  );
  const key = { name: 'a', namespace };
  claims.delete(key, {}, context);
  const index = { inNamespace: () => [] };
  const protection = new VolumeProtection({ registry, index } as never);
  const sync = (): Steps<void> => protection.sync(referenceText(claims.definition.storageBucket, key));
  assertConflict(sync(), () => claims.update(key, labeled, context));
  assert.deepEqual(claims.get(key).metadata.finalizers, finalizers);
  finish(sync());
  assert.equal(claims.find(key), undefined);
});

test('the garbage collector does not overwrite owner references that change between the steps of a sync', () => {
  const registry = startRegistry();
  const configMaps = registry.builtIn('/v1/configmaps');
  const create = (name: string, metadata: object): ApiObject =>
    configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...metadata } }, context);
  const { uid } = create('owner', {}).metadata;
  const ownerOf = (name: string, ownerUid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: ownerUid });
  const dependent = create('dependent', { ownerReferences: [ownerOf('owner', uid)] });
  configMaps.delete({ name: 'owner', namespace }, { propagationPolicy: 'Orphan' }, context);
  const { storageBucket: bucket } = configMaps.definition;
  const collector = new GarbageCollector({ registry } as never);
  for (const object of registry.store.list(bucket)) {
    collector.observe({ type: 'ADDED', bucket, object } as never, nothing);
  }
  const other = create('other', {});
  const sync = (): Steps<void> => collector.sync(referenceText(bucket, { name: 'owner', namespace }), nothing);
  const adopt = (live: ApiObject): object => ({
    ...live,
    metadata: { ...live.metadata, ownerReferences: [ownerOf('owner', uid), ownerOf('other', other.metadata.uid)] },
  });
  assertConflict(sync(), () => configMaps.update(dependent.metadata, adopt, context));
  finish(sync());
  const { ownerReferences = [] } = configMaps.get(dependent.metadata).metadata;
  assert.deepEqual(
    ownerReferences.map(({ name }) => name),
    ['other'],
  );
});

const pod = (spec: object): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace },
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});
const key = { name: 'a', namespace };
/** Returns the labels and the phase of an object. */
const stateOf = (object: ApiObject): readonly unknown[] => [
  object.metadata.labels?.['a'],
  stringAt(object, 'status', 'phase'),
];

test('the kubelet does not start a Pod that replaces another Pod between the steps of a sync', () => {
  const registry = startRegistry();
  const pods = registry.builtIn('/v1/pods');
  const steps = new Kubelet({ registry, simulated } as never).sync('default/a', nothing);
  pods.create(pod({ nodeName: 'embedded' }), context);
  assert.equal(steps.next().done, false);
  pods.delete(key, { gracePeriodSeconds: 0 }, context);
  pods.create(pod({ nodeName: 'other' }), context);
  finish(steps);
  assert.deepEqual(stateOf(pods.get(key)), [undefined, 'Pending']);
});

test('the kubelet does not remove a label that a client adds between the steps of a sync', () => {
  const registry = startRegistry();
  const pods = registry.builtIn('/v1/pods');
  pods.create(pod({ nodeName: 'embedded' }), context);
  const steps = new Kubelet({ registry, simulated } as never).sync('default/a', nothing);
  assert.equal(steps.next().done, false);
  pods.update(key, labeled, context);
  finish(steps);
  assert.deepEqual(stateOf(pods.get(key)), ['b', 'Running']);
});

test('the scheduler does not bind a Pod to a node that becomes full between the steps of a sync', () => {
  const registry = startRegistry();
  const pods = registry.builtIn('/v1/pods');
  const reported: string[] = [];
  const report = (_: ApiObject, { reason }: { readonly reason: string }): unknown => reported.push(reason);
  const scheduler = new Scheduler({ registry, events: { report } } as never);
  const queued: string[] = [];
  const queue = { ...nothing, add: (added: string) => void queued.push(added) };
  const conditions = [{ type: 'Ready', status: 'True' }];
  const node = { metadata: { name: 'n' }, spec: {}, status: { allocatable: { pods: '1' }, conditions } };
  scheduler.observe({ type: 'ADDED', bucket: '/nodes', object: node } as never, queue);
  pods.create(pod({}), context);
  const steps = scheduler.sync('default/a', queue);
  // The first step reads the Pod, and the second step chooses the node.
  assert.equal(steps.next().done, false);
  assert.equal(steps.next().done, false);
  pods.update(key, labeled, context);
  queued.length = 0;
  const other = { metadata: { name: 'b', namespace, uid: 'b' }, spec: { containers: [], nodeName: 'n' } };
  scheduler.observe({ type: 'ADDED', bucket: '/pods', object: other } as never, queue);
  finish(steps);
  assert.deepEqual([queued, reported], [['default/a'], []]);
  finish(scheduler.sync('default/a', queue));
  assert.deepEqual(reported, ['FailedScheduling']);
  scheduler.observe({ type: 'DELETED', bucket: '/pods', object: other } as never, queue);
  assert.deepEqual(queued, ['default/a', 'default/a']);
  finish(scheduler.sync('default/a', queue));
  assert.deepEqual(reported, ['FailedScheduling', 'Scheduled']);
});

test('the scheduler queues a Pod again after an event between the steps of a sync', () => {
  const registry = startRegistry();
  registry.builtIn('/v1/pods').create(pod({}), context);
  const scheduler = new Scheduler({ registry, events: { report: () => undefined } } as never);
  const queued: string[] = [];
  const queue = { ...nothing, add: (added: string) => void queued.push(added) };
  const steps = scheduler.sync('default/a', queue);
  assert.equal(steps.next().done, false);
  const node = { metadata: { name: 'n' }, spec: {} };
  scheduler.observe({ type: 'ADDED', bucket: '/nodes', object: node } as never, queue);
  assert.deepEqual(queued, ['default/a']);
});

test('the volume binder does not bind a claim that changes between the steps of a sync', () => {
  const registry = startRegistry();
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'b' };
  const spec = { ...common, resources: { requests: { storage: '1Gi' } }, volumeName: 'v' };
  claims.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: key, spec }, context);
  const volumes = registry.builtIn('/v1/persistentvolumes');
  const volume = { ...common, capacity: { storage: '1Gi' }, hostPath: { path: '/a' } };
  volumes.create({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec: volume }, context);
  const binder = new VolumeBinder({ registry } as never);
  const sync = (): Steps<void> => binder.sync(referenceText('/persistentvolumeclaims', key));
  assertConflict(sync(), () => claims.update(key, labeled, context));
  assert.deepEqual(stateOf(claims.get(key)), ['b', 'Pending']);
  finish(sync());
  assert.deepEqual(stateOf(claims.get(key)), ['b', 'Bound']);
});
