import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt } from '../../../registry/objects/json-object.js';
import { at, context, startCluster, template, workload } from '../../../server/cluster.test.support.js';

const controller = (spec: object = {}): object => workload({ selector: { app: 'web' }, ...spec });
const withLabels = (labels: object) => (live: ApiObject) => ({ ...live, metadata: { ...live.metadata, labels } });
const withSpec = (spec: object) => (live: ApiObject) => ({ ...live, spec: { ...objectAt(live, 'spec'), ...spec } });

test('a ReplicationController maintains its Pods and reports them in its status and in Events', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const controllers = cluster.resource('/v1/replicationcontrollers');
  controllers.create(controller(), context);
  await cluster.quiet();
  assert.deepEqual(
    { ...objectAt(controllers.get(at('web')), 'status') },
    {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    },
  );
  const pods = cluster.resource('/v1/pods').list().items;
  assert.deepEqual(
    new Set(cluster.eventsOf('web')),
    new Set(pods.map(({ metadata }) => `SuccessfulCreate: Created pod: ${metadata.name}`)),
  );
  controllers.update(at('web'), withSpec({ replicas: 1 }), context);
  await cluster.quiet();
  assert.equal(cluster.resource('/v1/pods').list().items.length, 1);
});

test('a ReplicationController adopts matching Pods and releases Pods whose labels change', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const pods = cluster.resource('/v1/pods');
  const metadata = { ...at('lone'), labels: { app: 'web' } };
  pods.create({ metadata, spec: { containers: [{ name: 'c', image: 'i' }] } }, context);
  cluster.resource('/v1/replicationcontrollers').create(controller({ replicas: 1 }), context);
  await cluster.quiet();
  const [owner] = pods.get(at('lone')).metadata.ownerReferences ?? [];
  assert.deepEqual([owner?.apiVersion, owner?.kind, owner?.name], ['v1', 'ReplicationController', 'web']);
  pods.update(at('lone'), withLabels({ app: 'other' }), context);
  await cluster.quiet();
  assert.equal(pods.get(at('lone')).metadata.ownerReferences, undefined);
  assert.equal(pods.list({ labelSelector: 'app=web' }).items.length, 1);
});

test('a ReplicaSet first deletes Pods on nodes with more Pods of the same Deployment', async (t) => {
  const cluster = startCluster(t, { workloads: ['replicasets'] });
  const pods = cluster.resource('/v1/pods');
  for (const [name, nodeName] of [
    ['a', 'full'],
    ['b', 'empty'],
    ['c', 'full'],
  ] as const) {
    const metadata = { ...at(name), labels: { app: 'web' } };
    pods.create({ metadata, spec: { nodeName, containers: [{ name: 'c', image: 'i' }] } }, context);
  }
  cluster.resource('apps/v1/replicasets').create(workload({ replicas: 2 }), context);
  await cluster.quiet();
  const nodes = pods.list().items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  assert.deepEqual(nodes.map((pod) => stringAt(pod, 'spec', 'nodeName')).toSorted(), ['empty', 'full']);
});

test('a deleted ReplicationController orphans its Pods by default', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const controllers = cluster.resource('/v1/replicationcontrollers');
  controllers.create(controller({ template: template() }), context);
  await cluster.quiet();
  controllers.delete(at('web'), {}, context);
  await cluster.quiet();
  assert.equal(controllers.find(at('web')), undefined);
  const pods = cluster.resource('/v1/pods').list().items;
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.ownerReferences),
    [undefined, undefined],
  );
  assert.equal(numberAt(pods[0], 'metadata', 'deletionGracePeriodSeconds'), undefined);
});
