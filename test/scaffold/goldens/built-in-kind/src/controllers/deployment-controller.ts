import { Deployment } from '@kubewright/api/apps/v1';
import { Controller, type ReconcileContext, type Reconciler, Result } from '@kubewright/runtime';

@Controller({ for: Deployment })
export class DeploymentController implements Reconciler<Deployment> {
  /** Called when the Deployment changed. What changed does not matter: it makes the cluster be as the Deployment says. */
  async reconcile(deployment: Deployment, { log }: ReconcileContext): Promise<Result> {
    log.info(`saw ${deployment.metadata.name}`);
    return Result.done();
  }
}
