import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNotFound } from '@kubewright/runtime';
import { Pod, Service } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { VirtualMachine } from '../api/v1/virtual-machine.js';
import { VirtualMachineController } from './virtual-machine-controller.js';

const machine = new VirtualMachine({
  metadata: { name: 'wx', namespace: 'default' },
  spec: { name: 'wx', image: 'Centos-7.9', disk: 500 },
});

test('VirtualMachineController creates the Pod and the Service of a machine, and sets the phase to Complete', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine], workloads: true });
  await env.run(VirtualMachineController);
  const vm = await env.client.create(machine);
  await env.settled();
  const { status } = await env.read(vm);
  assert.equal(status?.phase, 'Complete');
  assert.match(status?.address ?? '', /^10\./);
  assert.equal(vm.spec.memory, 1024);
});

test('VirtualMachineController sets the phase to Creating while the Pod of a machine is not ready', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine] });
  await env.run(VirtualMachineController);
  const vm = await env.client.create(machine);
  await env.settled();
  assert.equal((await env.read(vm)).status?.phase, 'Creating');
});

test('VirtualMachineController creates the Pod and the Service in one reconcile, and writes nothing in a second reconcile', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine], objects: [machine] });
  const controller = new VirtualMachineController(env.client, env.events);
  const first = await env.reconcile(controller, machine);
  const writes = first.writes.map(({ verb, object }) => `${verb} ${object.kind}`);
  assert.deepEqual(writes.toSorted(), ['apply Pod', 'apply Service', 'patch VirtualMachine']);
  const second = await env.reconcile(controller, first.object);
  assert.deepEqual(second.writes, []);
});

test('VirtualMachineController restarts a machine whose memory changes', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine], workloads: true });
  await env.run(VirtualMachineController);
  const vm = await env.client.create(machine);
  await env.settled();
  await env.client.patch(vm, (draft) => {
    draft.spec.memory = 4096;
  });
  await env.settled();
  const pod = await env.client.get(Pod, { name: 'wx', namespace: 'default' });
  assert.equal(pod.spec.containers[0]?.resources?.limits?.memory, '4Gi');
  assert.equal((await env.read(vm)).status?.phase, 'Complete');
});

test('VirtualMachineController deletes the children of a deleted machine', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine], workloads: true });
  await env.run(VirtualMachineController);
  const vm = await env.client.create(machine);
  await env.settled();
  await env.client.delete(vm);
  await env.settled();
  await assert.rejects(env.read(vm), isNotFound);
  assert.deepEqual(await env.client.list(Pod, { namespace: 'default' }), []);
  const services = await env.client.list(Service, { namespace: 'default' });
  assert.deepEqual(
    services.map(({ metadata }) => metadata.name),
    ['kubernetes'],
  );
});
