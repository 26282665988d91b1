import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { isNotOwned } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { Foo } from '../api/v1/foo.js';
import { deploymentFor, FooController } from './foo-controller.js';

const example = new Foo({
  metadata: { name: 'example', namespace: 'default' },
  spec: { deploymentName: 'web', replicas: 2 },
});

test('the deployment has the replicas of the Foo', () => {
  assert.equal(deploymentFor(example).spec.replicas, 2);
});

test('availability comes back into the status', async () => {
  await using env = await TestEnvironment.start({ kinds: [Foo], workloads: true });
  await env.run(FooController);
  const foo = await env.client.create(example);
  await env.settled();
  assert.equal((await env.read(foo)).status?.availableReplicas, 2);
});

test("somebody else's deployment is left alone", async () => {
  await using env = await TestEnvironment.start({ kinds: [Foo] });
  const foo = await env.client.create(example);
  const theirs = deploymentFor(foo);
  await env.client.create(new Deployment({ ...theirs, metadata: { ...theirs.metadata, namespace: 'default' } }));
  const { error, writes, events } = await env.reconcile(new FooController(env.client, env.events), foo);
  assert.ok(isNotOwned(error));
  assert.deepEqual(writes, []);
  assert.equal(events[0]?.reason, 'ErrResourceExists');
});
