import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { EcsBinding } from '../api/v1/ecs-binding.js';
import { EcsBindingController } from './ecs-binding-controller.js';

const binding = new EcsBinding({ metadata: { name: 'ecs-1' }, spec: { nodename: 'node-1', innerip: '10.0.0.1' } });

test('EcsBindingController labels a binding with one event, and does nothing in a second reconcile', async () => {
  await using env = await TestEnvironment.start({ kinds: [EcsBinding], objects: [binding] });
  const controller = new EcsBindingController(env.client, env.events);
  const first = await env.reconcile(controller, binding);
  const labels = { cluster: 'k8s-cluster', node: 'node-1', 'inner-ip': '10.0.0.1' };
  assert.deepEqual({ ...first.object.metadata.labels }, labels);
  assert.deepEqual(
    first.events.map(({ reason, message }) => `${reason}: ${message}`),
    ['Labeled: labels are cluster=k8s-cluster,node=node-1,inner-ip=10.0.0.1'],
  );
  const second = await env.reconcile(controller, first.object);
  assert.deepEqual([second.writes, second.events], [[], []]);
});

test('EcsBindingController removes the label node when the spec no longer contains a node name', async () => {
  await using env = await TestEnvironment.start({ kinds: [EcsBinding], objects: [binding] });
  await env.run(EcsBindingController);
  await env.until(binding, ({ metadata }) => metadata.labels?.['node'] === 'node-1');
  await env.client.patch(binding, ({ spec }) => {
    delete spec.nodename;
  });
  const { metadata } = await env.until(binding, (now) => now.metadata.labels?.['node'] === undefined);
  assert.equal(metadata.labels?.['cluster'], 'k8s-cluster');
});
