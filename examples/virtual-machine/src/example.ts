import { VirtualMachine } from './api/v1/virtual-machine.js';
import { VirtualMachineController } from './controllers/virtual-machine-controller.js';

export { VirtualMachine } from './api/v1/virtual-machine.js';

export const kinds = [VirtualMachine];
export const controllers = [VirtualMachineController];
export const samples = [
  new VirtualMachine({
    metadata: { name: 'web', namespace: 'default' },
    spec: { name: 'web', image: 'centos-7.9', memory: 2048 },
  }),
  new VirtualMachine({
    metadata: { name: 'db', namespace: 'default' },
    spec: { name: 'db', image: 'debian-12', disk: 500 },
  }),
];
/** `dynamic` uses the CustomResourceDefinition and the object of the article. */
export const alternatives = {
  dynamic: { manifests: ['article/virtualmachines-crd.yaml', 'article/public-wx.yaml'] },
};

/** Reports whether a sample is in the desired state. */
export function isConverged(vm: VirtualMachine): boolean {
  return vm.status?.phase === 'Complete';
}
