import { Pod, Service } from '@kubewright/api/core/v1';
import { compareQuantities } from '@kubewright/api/quantity';
import type { VirtualMachine } from '../api/v1/virtual-machine.js';

const SSH_PORT = 22;

/** Returns the Pod that represents the machine, with its image and memory. */
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

/** Reports whether the Pod runs with the desired memory of the machine. */
export function hasMemoryOf(vm: VirtualMachine, pod: Pod): boolean {
  const memory = pod.spec.containers[0]?.resources?.limits?.memory;
  return memory !== undefined && compareQuantities(memory, memoryOf(vm)) === 0;
}

/** Returns the Service that gives the machine its own address. */
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
