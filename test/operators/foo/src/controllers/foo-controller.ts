import { Deployment } from '@kubewright/api/apps/v1';
import { Client, Controller, EventRecorder, isNotOwned, type Reconciler, Result } from '@kubewright/runtime';
import { Foo } from '../api/v1/foo.js';

@Controller({ for: Foo, owns: [Deployment], concurrency: 2 })
export class FooController implements Reconciler<Foo> {
  constructor(
    private readonly client: Client,
    private readonly events: EventRecorder,
  ) {}

  async reconcile(foo: Foo): Promise<Result> {
    const deployment = await this.deploy(foo);
    await this.client.patchStatus(foo, { availableReplicas: deployment.status?.availableReplicas ?? 0 });
    this.events.normal(foo, 'Synced', 'Foo synced successfully');
    return Result.done();
  }

  private async deploy(foo: Foo): Promise<Deployment> {
    try {
      const [deployment] = await this.client.applyOwned(foo, [deploymentFor(foo)]);
      return deployment;
    } catch (error) {
      if (isNotOwned(error)) this.events.warning(foo, 'ErrResourceExists', error.message);
      throw error;
    }
  }
}

export function deploymentFor(foo: Foo): Deployment {
  const labels = { app: 'nginx', controller: foo.metadata.name };
  return new Deployment({
    metadata: { name: foo.spec.deploymentName },
    spec: {
      replicas: foo.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] } },
    },
  });
}
