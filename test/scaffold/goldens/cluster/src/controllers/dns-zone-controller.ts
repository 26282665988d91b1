import { isConditionTrue, isReady, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { DNSZone } from '../api/v1alpha1/dns-zone.js';

@Controller({ for: DNSZone, owns: [Deployment] })
export class DNSZoneController implements Reconciler<DNSZone> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  /** Brings the cluster to the desired state of the DNSZone. Called after each change of the DNSZone or its Deployment. */
  async reconcile(dnsZone: DNSZone): Promise<Result> {
    const [deployment] = await this.client.applyOwned(dnsZone, [deploymentFor(dnsZone)]);
    const ready = isReady(deployment);
    const readyReplicas = deployment.status?.readyReplicas ?? 0;
    await this.client.patchStatus(dnsZone, (status) => {
      status.readyReplicas = readyReplicas;
      setCondition(status, {
        type: 'Ready',
        status: ready,
        reason: ready ? 'RolledOut' : 'RollingOut',
        message: `${readyReplicas} of ${dnsZone.spec.replicas} are ready`,
      });
    });
    if (ready && !isConditionTrue(dnsZone, 'Ready')) {
      this.events.normal(dnsZone, 'RolledOut', `${readyReplicas} of ${dnsZone.spec.replicas} are ready`);
    }
    return Result.done();
  }
}

/** Returns the desired Deployment of the DNSZone. Kubernetes deletes the Deployment when its owner is deleted. */
function deploymentFor(dnsZone: DNSZone): Deployment {
  const labels = { 'app.kubernetes.io/name': 'dns-zone', 'app.kubernetes.io/instance': dnsZone.metadata.name };
  return new Deployment({
    metadata: { name: dnsZone.metadata.name, namespace: dnsZone.spec.namespace },
    spec: {
      replicas: dnsZone.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'dns-zone', image: dnsZone.spec.image }] },
      },
    },
  });
}
