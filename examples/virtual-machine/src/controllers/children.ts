import { Pod, Service } from '@kubewright/api/core/v1';
import { compareQuantities } from '@kubewright/api/quantity';
import type { VirtualMachine } from '../api/v1/virtual-machine.js';

const SSH_PORT = 22;

/** The Pod that stands for the machine: its image, with its memory. */
export function podFor(vm: VirtualMachine): Pod {
  return new Pod({
    metadata: { name: vm.metadata.name, labels: labelsOf(vm) },
    spec: {
      containers: [
        {
          name: 'machine',
          image: vm.spec.image,
          ports: [{ name: 'ssh', containerPort: SSH_PORT }],
          resources: { limits: { memory: memoryOf(vm) } },
        },
      ],
    },
  });
}

/** Whether the Pod runs with the memory that the machine is to have. */
export function hasMemoryOf(vm: VirtualMachine, pod: Pod): boolean {
  const memory = pod.spec.containers[0]?.resources?.limits?.memory;
  return memory !== undefined && compareQuantities(memory, memoryOf(vm)) === 0;
}

/** The Service that gives the machine an address of its own. */
export function serviceFor(vm: VirtualMachine): Service {
  return new Service({
    metadata: { name: vm.metadata.name },
    spec: { selector: labelsOf(vm), ports: [{ name: 'ssh', port: SSH_PORT, targetPort: 'ssh' }] },
  });
}

function memoryOf(vm: VirtualMachine): string {
  return `${vm.spec.memory}Mi`;
}

function labelsOf(vm: VirtualMachine): Readonly<Record<string, string>> {
  return { 'cloud.waibizi.com/machine': vm.metadata.name };
}
