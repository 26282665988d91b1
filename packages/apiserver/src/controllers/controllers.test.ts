import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, withBreak } from '@kubewright/api/apply';
import { ApiError, isForbidden, isNotFound } from '@kubewright/api/errors';
import type { ApiObject } from '../registry/objects/api-object.js';
import { numberAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { context, startCluster } from '../server/cluster.test.support.js';

const release = (live: ApiObject) => ({ ...live, metadata: { ...live.metadata, finalizers: [] } });

function refusesNewContent(error: unknown): boolean {
  assert.ok(error instanceof ApiError && isForbidden(error));
  const text =
    'configmaps "b" is forbidden: unable to create new content in namespace x because it is being terminated';
  assert.equal(error.body.message, text);
  return true;
}

const reference = (of: ApiObject) => ({
  apiVersion: of.apiVersion,
  kind: of.kind,
  name: of.metadata.name,
  uid: of.metadata.uid,
  blockOwnerDeletion: true,
});

function configMap(name: string, owner?: ApiObject, more: object = {}) {
  const ownerReferences = owner === undefined ? [] : [reference(owner)];
  return { metadata: { name, namespace: 'default', ownerReferences, ...more } };
}

const at = (name: string, namespace = 'default') => ({ name, namespace });

test('creates the default service account of every namespace, and recreates a deleted default service account', async (t) => {
  const cluster = startCluster(t);
  const accounts = cluster.resource('/v1/serviceaccounts');
  cluster.resource('/v1/namespaces').create({ metadata: { name: 'x' } }, context);
  await cluster.quiet();
  const { uid } = accounts.get(at('default', 'x')).metadata;
  accounts.delete(at('default', 'x'), {}, context);
  await cluster.quiet();
  assert.notEqual(accounts.get(at('default', 'x')).metadata.uid, uid);
});

test('the garbage collector deletes the direct and indirect dependents of a deleted owner', async (t) => {
  const cluster = startCluster(t);
  const configMaps = cluster.resource('/v1/configmaps');
  const owner = configMaps.create(configMap('owner'), context);
  const child = configMaps.create(configMap('child', owner), context);
  configMaps.create(configMap('grandchild', child), context);
  await cluster.quiet();
  assert.equal(configMaps.list({ namespace: 'default' }).items.length, 3);
  configMaps.delete(at('owner'), { propagationPolicy: 'Background' }, context);
  await cluster.quiet();
  assert.deepEqual(configMaps.list({ namespace: 'default' }).items, []);
});

test('the garbage collector deletes an object whose owner reference contains a UID that no object has', async (t) => {
  const cluster = startCluster(t);
  const configMaps = cluster.resource('/v1/configmaps');
  const owner = configMaps.create(configMap('owner'), context);
  const foreign = { ...owner, metadata: { ...owner.metadata, uid: 'another' } };
  configMaps.create(configMap('child', foreign), context);
  await cluster.quiet();
  assert.equal(configMaps.find(at('child')), undefined);
});

test('foreground deletion keeps the owner until its dependents are deleted', async (t) => {
  const cluster = startCluster(t);
  const configMaps = cluster.resource('/v1/configmaps');
  const owner = configMaps.create(configMap('owner'), context);
  configMaps.create(configMap('child', owner, { finalizers: ['example.com/wait'] }), context);
  await cluster.quiet();
  configMaps.delete(at('owner'), { propagationPolicy: 'Foreground' }, context);
  await cluster.quiet();
  assert.ok(configMaps.get(at('owner')).metadata.deletionTimestamp);
  assert.ok(configMaps.get(at('child')).metadata.deletionTimestamp);
  configMaps.update(at('child'), release, context);
  await cluster.quiet();
  assert.deepEqual(configMaps.list({ namespace: 'default' }).items, []);
});

test('orphaning deletion removes the owner references of the dependents', async (t) => {
  const cluster = startCluster(t);
  const configMaps = cluster.resource('/v1/configmaps');
  const owner = configMaps.create(configMap('owner'), context);
  configMaps.create(configMap('child', owner), context);
  await cluster.quiet();
  configMaps.delete(at('owner'), { propagationPolicy: 'Orphan' }, context);
  await cluster.quiet();
  assert.equal(configMaps.find(at('owner')), undefined);
  assert.equal(configMaps.get(at('child')).metadata.ownerReferences, undefined);
});

test('a terminating namespace rejects new objects, deletes its objects and is then deleted', async (t) => {
  const cluster = startCluster(t);
  const namespaces = cluster.resource('/v1/namespaces');
  const configMaps = cluster.resource('/v1/configmaps');
  namespaces.create({ metadata: { name: 'x' } }, context);
  const held = { metadata: { name: 'a', namespace: 'x', finalizers: ['example.com/wait'] } };
  configMaps.create(held, context);
  await cluster.quiet();
  const marked = namespaces.delete({ name: 'x' }, {}, context) as ApiObject;
  assert.equal(stringAt(marked, 'status', 'phase'), 'Terminating');
  await cluster.quiet();
  assert.throws(() => configMaps.create({ metadata: at('b', 'x') }, context), refusesNewContent);
  configMaps.update(at('a', 'x'), release, context);
  await cluster.quiet();
  assert.equal(namespaces.find({ name: 'x' }), undefined);
  assert.throws(() => configMaps.create({ metadata: at('b', 'x') }, context), isNotFound);
});

test('rejects the deletion of required namespaces', (t) => {
  const namespaces = startCluster(t).resource('/v1/namespaces');
  assert.throws(() => namespaces.delete({ name: 'default' }, {}, context), {
    message: 'namespaces "default" is forbidden: this namespace may not be deleted',
  });
});

test('the deletion of a CustomResourceDefinition deletes its custom objects', async (t) => {
  const cluster = startCluster(t);
  const definitions = cluster.resource('apiextensions.k8s.io/v1/customresourcedefinitions');
  definitions.create(
    {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
    context,
  );
  cluster.resource('example.com/v1/things').create({ kind: 'Thing', metadata: at('a') }, context);
  definitions.delete({ name: 'things.example.com' }, {}, context);
  await cluster.quiet();
  assert.equal(definitions.find({ name: 'things.example.com' }), undefined);
  assert.equal(cluster.registry.find('example.com', 'v1', 'things'), undefined);
  assert.deepEqual(cluster.registry.store.list('example.com/things'), []);
});

function deployment(replicas: number, image = 'nginx:1') {
  return {
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
    },
  };
}

test('with workloads, a Deployment becomes available, rolls out a new image and scales down', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const deployments = cluster.resource('apps/v1/deployments');
  const pods = cluster.resource('/v1/pods');
  deployments.create(deployment(3), context);
  await cluster.quiet();
  const ready = deployments.get(at('web'));
  assert.equal(numberAt(ready, 'status', 'availableReplicas'), 3);
  assert.equal(numberAt(ready, 'status', 'observedGeneration'), 1);
  assert.deepEqual(
    objectsAt(ready, 'status', 'conditions').map(({ type, status, reason }) => [type, status, reason]),
    [
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ],
  );
  assert.equal(ready.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
  const change = (live: ApiObject) => ({ ...live, spec: deployment(3, 'nginx:2').spec });
  deployments.update(at('web'), change, context);
  await cluster.quiet();
  const images = pods
    .list({ labelSelector: 'app=web' })
    .items.map((pod) => stringAt(objectsAt(pod, 'spec', 'containers')[0], 'image'));
  assert.deepEqual(images, ['nginx:2', 'nginx:2', 'nginx:2']);
  assert.equal(deployments.get(at('web')).metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
  const toOne = withBreak((scale: ApiObject) => ({ ...scale, spec: { replicas: 1 } }));
  finish(deployments.updateScaleSteps(at('web'), toOne, context));
  await cluster.quiet();
  assert.equal(pods.list({ labelSelector: 'app=web' }).items.length, 1);
  deployments.delete(at('web'), { propagationPolicy: 'Background' }, context);
  await cluster.quiet();
  assert.deepEqual(pods.list().items, []);
  assert.deepEqual(cluster.resource('apps/v1/replicasets').list().items, []);
});

test('a server with workloads runs a Pod on the node, and a server without workloads deletes a Pod immediately', async (t) => {
  const pod = { metadata: at('p'), spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  const cluster = startCluster(t, { workloads: true });
  const pods = cluster.resource('/v1/pods');
  pods.create(pod, context);
  await cluster.quiet();
  const running = pods.get(at('p'));
  assert.equal(stringAt(running, 'status', 'phase'), 'Running');
  assert.match(stringAt(running, 'status', 'podIP'), /^10\.244\./);
  const marked = pods.delete(at('p'), {}, context) as ApiObject;
  assert.equal(marked.metadata.deletionGracePeriodSeconds, 30);
  await cluster.quiet();
  assert.equal(pods.find(at('p')), undefined);
  const still = startCluster(t).resource('/v1/pods');
  still.create(pod, context);
  still.delete(at('p'), {}, context);
  assert.equal(still.find(at('p')), undefined);
});
