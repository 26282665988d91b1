// The same operator with no decorator and no class.
import { defineKind } from '@kubewright/api';
import { Manager, Result } from '@kubewright/runtime';

interface VmSpec {
  readonly name: string;
  readonly image: string;
  readonly memory?: number;
}
const VirtualMachine = defineKind<VmSpec, { readonly phase?: string }>({
  group: 'cloud.waibizi.com',
  version: 'v1',
  kind: 'VirtualMachine',
  shortNames: ['vm'],
  spec: {
    type: 'object',
    required: ['name', 'image'],
    properties: { name: { type: 'string' }, image: { type: 'string' }, memory: { type: 'integer', default: 1024 } },
  },
  status: { type: 'object', properties: { phase: { type: 'string' } } },
});

const manager = new Manager();
manager.control({ for: VirtualMachine, every: '1h' }, async (vm, { log }) => {
  log.info('machine', { image: vm.spec.image });
  await manager.client.patchStatus(vm, { phase: 'Complete' });
  return Result.done();
});
await manager.start();
