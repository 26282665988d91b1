import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestEnvironment } from '@kubewright/testing';
import { VirtualMachine } from '../api/v1/virtual-machine.js';
import { VirtualMachineController } from './virtual-machine-controller.js';

test('a machine becomes complete', async () => {
  await using env = await TestEnvironment.start({ kinds: [VirtualMachine] });
  await env.run(VirtualMachineController);
  const vm = await env.client.create(
    new VirtualMachine({
      metadata: { name: 'wx', namespace: 'default' },
      spec: { name: 'wx', image: 'Centos-7.9', disk: 500 },
    }),
  );
  await env.settled();
  assert.equal((await env.read(vm)).status?.phase, 'Complete');
  assert.equal(vm.spec.memory, 1024);
});
