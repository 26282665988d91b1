import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { PersistentVolumeClaim, Service } from '@kubewright/api/core/v1';
import { StorageClass } from '@kubewright/api/storage/v1';
import { TestEnvironment } from '@kubewright/testing';
import { CloudManager } from '../api/v1/cloud-manager.js';
import { isAvailable } from './children.js';
import { CloudManagerController } from './cloud-manager-controller.js';

const sample = new CloudManager({
  metadata: { name: 'sample', namespace: 'default' },
  spec: {
    front: { deployment: { image: 'nginx:1.20', name: 'ake-front' } },
    identity: { deployment: { image: 'busybox:1.32.1', name: 'cm-identity' } },
    db: {
      statefulSet: { image: 'mariadb:10.3', name: 'cm-db', storage: { class: 'local-path', size: '20Gi' } },
      rootPass: '123456',
    },
  },
});
const storageClass = new StorageClass({ metadata: { name: 'local-path' }, provisioner: 'rancher.io/local-path' });

test('CloudManagerController sets the phase to ready, and deletes the old Deployment after the front is renamed', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], workloads: true });
  await env.client.create(storageClass);
  await env.run(CloudManagerController);
  const cm = await env.client.create(sample);
  await env.settled();
  assert.equal((await env.read(cm)).status?.phase, 'ready');

  await env.client.patch(cm, (draft) => {
    draft.spec.front.deployment.name = 'front';
  });
  await env.settled();
  assert.deepEqual(namesOf(await env.client.list(Deployment)), ['cm-identity', 'front']);
});

test('the volumes of the database are deleted with the CloudManager', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], workloads: true });
  await env.client.create(storageClass);
  await env.run(CloudManagerController);
  const cm = await env.client.create(sample);
  await env.settled();
  assert.deepEqual(namesOf(await env.client.list(PersistentVolumeClaim)), ['datadir-cm-db-0']);
  await env.client.delete(cm);
  await env.settled();
  assert.deepEqual(namesOf(await env.client.list(PersistentVolumeClaim)), []);
});

test('CloudManagerController creates only the front Deployment in its first reconcile, and nothing in a repeated one', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], objects: [sample] });
  const controller = new CloudManagerController(env.client, env.events);
  const first = await env.reconcile(controller, sample);
  assert.deepEqual(writesOf(first), ['apply Deployment ake-front', 'patch CloudManager sample']);
  assert.equal(first.object.status?.phase, 'pending');
  const second = await env.reconcile(controller, first.object);
  assert.deepEqual(second.writes, []);
});

test('CloudManagerController creates the next Deployment when a majority of the replicas of the previous Deployment is ready', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], objects: [sample] });
  const controller = new CloudManagerController(env.client, env.events);
  const { object } = await env.reconcile(controller, sample);
  const front = await env.client.get(Deployment, { name: 'ake-front', namespace: 'default' });
  const withReady = (readyReplicas: number) =>
    env.client.patchStatus(front, { replicas: 3, updatedReplicas: 3, availableReplicas: readyReplicas, readyReplicas });
  await withReady(1);
  assert.deepEqual(writesOf(await env.reconcile(controller, object)), []);
  await withReady(2);
  assert.deepEqual(writesOf(await env.reconcile(controller, object)), ['apply Deployment cm-identity']);
});

test('isAvailable requires 1, 1, 2, 2 and 3 ready replicas of 0, 1, 2, 3 and 4 replicas', () => {
  const needed = [0, 1, 2, 3, 4].map((replicas) =>
    [0, 1, 2, 3, 4].find((readyReplicas) => isAvailable(setOf({ replicas, readyReplicas }))),
  );
  assert.deepEqual(needed, [1, 1, 2, 2, 3]);
});

test('CloudManagerController deletes the old Deployment of a renamed component before the new Deployment is available', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], objects: [sample] });
  const controller = new CloudManagerController(env.client, env.events);
  const { object } = await env.reconcile(controller, sample);
  const renamed = await env.client.patch(object, (draft) => {
    draft.spec.front.deployment.name = 'front';
  });
  const report = await env.reconcile(controller, renamed);
  assert.deepEqual(writesOf(report), ['delete Deployment ake-front', 'apply Deployment front']);
  assert.deepEqual(
    report.events.map(({ reason, message }) => `${reason}: ${message}`),
    ['Deleted: Deleted deployment "ake-front"'],
  );
});

test('CloudManagerController creates a headless Service with the name of the database, and recreates a deleted Service', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], workloads: true });
  await env.client.create(storageClass);
  await env.run(CloudManagerController);
  const cm = await env.client.create(sample);
  await env.settled();
  const [service] = await env.client.listOwned(cm, Service);
  assert.deepEqual([service?.metadata.name, service?.spec.clusterIP], ['cm-db', 'None']);
  await env.client.delete(service!);
  await env.settled();
  assert.deepEqual(namesOf(await env.client.listOwned(cm, Service)), ['cm-db']);
});

function namesOf(objects: readonly KubeObject[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}

function writesOf({ writes }: Awaited<ReturnType<TestEnvironment['reconcile']>>): readonly string[] {
  return writes.map(({ verb, object }) => `${verb} ${object.kind} ${object.metadata.name}`);
}

function setOf(status: { readonly replicas: number; readonly readyReplicas: number }): StatefulSet {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'cm-db' }, status } as unknown as StatefulSet;
}
