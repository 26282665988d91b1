import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { EcsBinding } from '../api/v1/ecs-binding.js';
import { EcsBindingController } from './ecs-binding-controller.js';

test('a binding is labelled once, and a second run writes nothing', async () => {
  await using env = await TestEnvironment.start({ kinds: [EcsBinding] });
  const controller = new EcsBindingController(env.client);
  const binding = await env.client.create(
    new EcsBinding({ metadata: { name: 'ecs-1' }, spec: { nodename: 'node-1' } }),
  );
  const first = await env.reconcile(controller, binding);
  assert.equal(first.object.metadata.labels?.cluster, 'k8s-cluster');
  const second = await env.reconcile(controller, first.object);
  assert.deepEqual(second.writes, []);
});
