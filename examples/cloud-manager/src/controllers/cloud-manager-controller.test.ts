import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { StorageClass } from '@kubewright/api/storage/v1';
import { TestEnvironment } from '@kubewright/testing';
import { CloudManager } from '../api/v1/cloud-manager.js';
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

test('becomes ready, and a renamed front leaves nothing behind', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], workloads: true });
  await env.client.create(new StorageClass({ metadata: { name: 'local-path' }, provisioner: 'rancher.io/local-path' }));
  await env.run(CloudManagerController);
  const cm = await env.client.create(sample);
  await env.settled();
  assert.equal((await env.read(cm)).status?.phase, 'Ready');

  await env.client.patch(cm, (draft) => {
    draft.spec.front.deployment.name = 'front';
  });
  await env.settled();
  const names = (await env.client.list(Deployment)).map((deployment) => deployment.metadata.name);
  assert.deepEqual(names.toSorted(), ['cm-identity', 'front']);
});

test('the parts come one after the other, and nothing is written twice', async () => {
  await using env = await TestEnvironment.start({ kinds: [CloudManager], objects: [sample] });
  const controller = new CloudManagerController(env.client, env.events);
  const first = await env.reconcile(controller, sample);
  assert.deepEqual(
    first.writes.map(({ verb, object }) => `${verb} ${object.kind} ${object.metadata.name}`),
    ['apply Deployment ake-front', 'patch CloudManager sample'],
  );
  assert.equal(first.object.status?.phase, 'Pending');
  const second = await env.reconcile(controller, first.object);
  assert.deepEqual(second.writes, []);
});
