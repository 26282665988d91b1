import { kebabCase, variableOf } from '../scaffold/kind-names.js';
import { apiPath, importFromControllers } from '../scaffold/kind-paths.js';
import type { KindFilesOptions } from '../scaffold/scaffold-options.js';

/** Returns the controller of a custom kind. The controller applies a Deployment for each object and updates the object's status. */
export function controllerFile(options: KindFilesOptions): string {
  const { kind, namespaced } = options;
  const object = variableOf(kind);
  const metadata = namespaced
    ? `name: ${object}.metadata.name`
    : `name: ${object}.metadata.name, namespace: ${object}.spec.namespace`;
  return `import { isConditionTrue, isReady, setCondition } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { ${kind} } from '${importFromControllers(apiPath(options))}';

@Controller({ for: ${kind}, owns: [Deployment] })
export class ${kind}Controller implements Reconciler<${kind}> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  /** Brings the cluster to the desired state of the ${kind}. Called after each change of the ${kind} or its Deployment. */
  async reconcile(${object}: ${kind}): Promise<Result> {
    const [deployment] = await this.client.applyOwned(${object}, [deploymentFor(${object})]);
    const ready = isReady(deployment);
    const readyReplicas = deployment.status?.readyReplicas ?? 0;
    await this.client.patchStatus(${object}, (status) => {
      status.readyReplicas = readyReplicas;
      setCondition(status, {
        type: 'Ready',
        status: ready,
        reason: ready ? 'RolledOut' : 'RollingOut',
        message: \`\${readyReplicas} of \${${object}.spec.replicas} are ready\`,
      });
    });
    if (ready && !isConditionTrue(${object}, 'Ready')) {
      this.events.normal(${object}, 'RolledOut', \`\${readyReplicas} of \${${object}.spec.replicas} are ready\`);
    }
    return Result.done();
  }
}

/** Returns the desired Deployment of the ${kind}. Kubernetes deletes the Deployment when its owner is deleted. */
function deploymentFor(${object}: ${kind}): Deployment {
  const labels = { 'app.kubernetes.io/name': '${kebabCase(kind)}', 'app.kubernetes.io/instance': ${object}.metadata.name };
  return new Deployment({
    metadata: { ${metadata} },
    spec: {
      replicas: ${object}.spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: '${kebabCase(kind)}', image: ${object}.spec.image }] },
      },
    },
  });
}
`;
}
