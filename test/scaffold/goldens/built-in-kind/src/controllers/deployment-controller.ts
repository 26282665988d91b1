import { Deployment } from '@kubewright/api/apps/v1';
import { Controller, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';

@Controller({ for: Deployment })
export class DeploymentController implements Reconciler<Deployment> {
  /** Brings the cluster to the desired state of the Deployment. Called after each change, regardless of what changed. */
  async reconcile(deployment: Deployment, { log }: ReconcileContext): Promise<Result> {
    log.info(`reconciling ${deployment.metadata.name}`);
    return Result.done();
  }
}
