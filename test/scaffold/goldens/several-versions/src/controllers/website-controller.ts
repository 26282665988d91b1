import { isConditionTrue, isReady, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { Website } from '../api/v1beta1/website.js';

@Controller({ for: Website, owns: [Deployment] })
export class WebsiteController implements Reconciler<Website> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  /** Brings the cluster to the desired state of the Website. Called after each change of the Website or its Deployment. */
  async reconcile(website: Website): Promise<Result> {
    const [deployment] = await this.client.applyOwned(website, [deploymentFor(website)]);
    const ready = isReady(deployment);
    const readyReplicas = deployment.status?.readyReplicas ?? 0;
    await this.client.patchStatus(website, (status) => {
      status.readyReplicas = readyReplicas;
      setCondition(status, {
        type: 'Ready',
        status: ready,
        reason: ready ? 'RolledOut' : 'RollingOut',
        message: `${readyReplicas} of ${website.spec.replicas} are ready`,
      });
    });
    if (ready && !isConditionTrue(website, 'Ready')) {
      this.events.normal(website, 'RolledOut', `${readyReplicas} of ${website.spec.replicas} are ready`);
    }
    return Result.done();
  }
}

/** Returns the desired Deployment of the Website. Kubernetes deletes the Deployment when its owner is deleted. */
function deploymentFor(website: Website): Deployment {
  const labels = { 'app.kubernetes.io/name': 'website', 'app.kubernetes.io/instance': website.metadata.name };
  return new Deployment({
    metadata: { name: website.metadata.name },
    spec: {
      replicas: website.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'website', image: website.spec.image }] },
      },
    },
  });
}
