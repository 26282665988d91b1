import { isReady, keyOf } from '@kubewright/api';
import { Pod, Service } from '@kubewright/api/core/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { VirtualMachine } from '../api/v1/virtual-machine.js';
import { hasMemoryOf, podFor, serviceFor } from './children.js';

@Controller({ for: VirtualMachine, owns: [Pod, Service], concurrency: 4 })
export class VirtualMachineController implements Reconciler<VirtualMachine> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(vm: VirtualMachine): Promise<Result> {
    const running = await this.client.find(Pod, keyOf(vm));
    if (running && !hasMemoryOf(vm, running)) return this.restart(vm, running);
    const [pod, service] = await this.client.applyOwned(vm, [podFor(vm), serviceFor(vm)]);
    const phase = isReady(pod) ? 'Complete' : 'Creating';
    const address = service.spec.clusterIP;
    await this.client.patchStatus(vm, { phase, ...(address === undefined ? {} : { address }) });
    if (phase === 'Complete' && vm.status?.phase !== 'Complete') {
      this.events.normal(vm, 'Booted', `machine ${vm.spec.name} runs ${vm.spec.image}`);
    }
    return Result.done();
  }

  /** Deletes a running Pod, because the memory of a Pod cannot be changed. When the Pod is deleted, a reconcile creates the Pod again. */
  private async restart(vm: VirtualMachine, pod: Pod): Promise<Result> {
    if (pod.metadata.deletionTimestamp === undefined) await this.client.delete(pod);
    await this.client.patchStatus(vm, { phase: 'Creating' });
    return Result.done();
  }

  /** Deletes the children before the machine, so that the address does not exist longer than the machine. */
  async finalize(vm: VirtualMachine): Promise<Result> {
    await this.client.applyOwned(vm, []);
    this.events.normal(vm, 'Released', `machine ${vm.spec.name} was shut down`);
    return Result.done();
  }
}
