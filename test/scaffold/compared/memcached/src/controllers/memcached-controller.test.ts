import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { TestEnvironment } from '@kubewright/testing';
import { Memcached } from '../api/v1alpha1/memcached.js';
import { MemcachedController } from './memcached-controller.js';

const sample = new Memcached({ metadata: { name: 'sample', namespace: 'default' }, spec: { size: 2 } });

test('a Memcached becomes available, its Deployment follows the spec, and a deletion of the Memcached deletes the Deployment', async () => {
  await using env = await TestEnvironment.start({ kinds: [Memcached], workloads: true, objects: [sample] });
  await env.run(MemcachedController);
  const memcached = await env.until(sample, (seen) => isConditionTrue(seen, 'Available'));

  await env.client.patch(memcached, (draft) => {
    draft.spec.size = 3;
  });
  const [deployment] = await env.client.list(Deployment);
  assert.ok(deployment);
  await env.until(deployment, ({ status }) => status?.readyReplicas === 3);

  await env.client.delete(memcached);
  await env.untilDeleted(memcached);
  await env.settled();
  assert.deepEqual(await env.client.list(Deployment), []);
});
