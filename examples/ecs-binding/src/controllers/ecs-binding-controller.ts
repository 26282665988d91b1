import { Client, Controller, Rbac, type Reconciler, Result } from '@kubewright/runtime';
import { EcsBinding } from '../api/v1/ecs-binding.js';
import { labelsOf } from '../labels.js';

@Controller({ for: EcsBinding })
@Rbac({ kind: EcsBinding, verbs: ['patch'] })
export class EcsBindingController implements Reconciler<EcsBinding> {
  constructor(private readonly client: Client) {}

  async reconcile(binding: EcsBinding): Promise<Result> {
    await this.client.patch(binding, ({ metadata }) => {
      Object.assign(metadata.labels, labelsOf(binding));
    });
    return Result.done();
  }
}
