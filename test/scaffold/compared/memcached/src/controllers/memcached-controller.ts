import { isReady, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { Memcached } from '../api/v1alpha1/memcached.js';

@Controller({ for: Memcached, owns: [Deployment] })
export class MemcachedController implements Reconciler<Memcached> {
  constructor(private readonly client: Client) {}

  /** Called when a Memcached or its Deployment changes. Makes the cluster match the spec, regardless of the change. */
  async reconcile(memcached: Memcached): Promise<Result> {
    const [deployment] = await this.client.applyOwned(memcached, [deploymentFor(memcached)]);
    await this.client.patchStatus(memcached, (status) => {
      setCondition(status, {
        type: 'Available',
        status: isReady(deployment),
        reason: 'Reconciling',
        message: `Deployment for custom resource (${memcached.metadata.name}) with ${memcached.spec.size ?? 0} replicas`,
      });
    });
    return Result.done();
  }
}

/** Returns the Deployment of a Memcached. The apply sets the owner, so that Kubernetes deletes the Deployment with the Memcached. */
function deploymentFor(memcached: Memcached): Deployment {
  const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': memcached.metadata.name };
  return new Deployment({
    metadata: { name: memcached.metadata.name },
    spec: {
      replicas: memcached.spec.size ?? 0,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'memcached',
              image: 'memcached:1.6.26-alpine3.19',
              imagePullPolicy: 'IfNotPresent',
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 1001,
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
              },
              ports: [{ name: 'memcached', containerPort: 11211 }],
              command: ['memcached', '--memory-limit=64', '-o', 'modern', '-v'],
            },
          ],
        },
      },
    },
  });
}
