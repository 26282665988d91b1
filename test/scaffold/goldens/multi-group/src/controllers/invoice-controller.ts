import { isConditionTrue, isReady, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { Invoice } from '../api/billing/v1beta1/invoice.js';

@Controller({ for: Invoice, owns: [Deployment] })
export class InvoiceController implements Reconciler<Invoice> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  /** Brings the cluster to the desired state of the Invoice. Called after each change of the Invoice or its Deployment. */
  async reconcile(invoice: Invoice): Promise<Result> {
    const [deployment] = await this.client.applyOwned(invoice, [deploymentFor(invoice)]);
    const ready = isReady(deployment);
    const readyReplicas = deployment.status?.readyReplicas ?? 0;
    await this.client.patchStatus(invoice, (status) => {
      status.readyReplicas = readyReplicas;
      setCondition(status, {
        type: 'Ready',
        status: ready,
        reason: ready ? 'RolledOut' : 'RollingOut',
        message: `${readyReplicas} of ${invoice.spec.replicas} are ready`,
      });
    });
    if (ready && !isConditionTrue(invoice, 'Ready')) {
      this.events.normal(invoice, 'RolledOut', `${readyReplicas} of ${invoice.spec.replicas} are ready`);
    }
    return Result.done();
  }
}

/** Returns the desired Deployment of the Invoice. Kubernetes deletes the Deployment when its owner is deleted. */
function deploymentFor(invoice: Invoice): Deployment {
  const labels = { 'app.kubernetes.io/name': 'invoice', 'app.kubernetes.io/instance': invoice.metadata.name };
  return new Deployment({
    metadata: { name: invoice.metadata.name },
    spec: {
      replicas: invoice.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'invoice', image: invoice.spec.image }] },
      },
    },
  });
}
