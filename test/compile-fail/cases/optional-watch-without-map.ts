// TS2353: Object literal may only specify known properties, and 'kind' does not exist in type 'WatchDeclaration<NoInfer<Pool>>'.
import { CustomResource, Kind } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
import { Controller, type Reconciler, Result } from '@kubewright/runtime';
class PoolSpec {}
@Kind({ group: 'example.com', version: 'v1' })
class Pool extends CustomResource(PoolSpec) {}
@Controller({ for: Pool, watches: [{ kind: Pod, optional: true }] })
export class PoolController implements Reconciler<Pool> {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
