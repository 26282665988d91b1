// TS2353: Object literal may only specify known properties, and 'owns' does not exist in type 'KeyControllerOptions'.
import { Pod } from '@kubewright/api/core/v1';
import { KeyController, type KeyReconciler, Result } from '@kubewright/runtime';
@KeyController({ name: 'tenants', owns: [Pod] })
export class TenantController implements KeyReconciler {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
