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

  /** Called when a Website or its Deployment changed. What changed does not matter: it makes the cluster be as the spec says. */
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

/** What is to run for a Website. Its owner is set when it is applied, so that it goes when the Website goes. */
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
