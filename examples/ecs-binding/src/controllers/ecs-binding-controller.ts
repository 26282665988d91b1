import { Client, Controller, EventRecorder, Rbac, type Reconciler, Result } from '@kubewright/runtime';
import { EcsBinding } from '../api/v1/ecs-binding.js';
import { labelsOf, textOf } from '../labels.js';

@Controller({ for: EcsBinding })
@Rbac({ kind: EcsBinding, verbs: ['patch'] })
export class EcsBindingController implements Reconciler<EcsBinding> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(binding: EcsBinding): Promise<Result> {
    const labels = labelsOf(binding);
    const labeled = await this.client.patch(binding, ({ metadata }) => {
      Object.assign(metadata.labels, labels);
    });
    const isChanged = labeled.metadata.resourceVersion !== binding.metadata.resourceVersion;
    if (isChanged) this.events.normal(binding, 'Labeled', `labels are ${textOf(labels)}`);
    return Result.done();
  }
}
