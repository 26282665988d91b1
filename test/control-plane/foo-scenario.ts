import type { KindRef, KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Event, Namespace } from '@kubewright/api/core/v1';
import { Foo, type FooSpec } from '@kubewright/example-foo';
import type { TestEnvironment } from '@kubewright/testing';

/** One state of the world, under the name of the step that led to it. */
export type Observations = Readonly<Record<string, unknown>>;

/**
 * What happens to Foos and their Deployments in a namespace of its own, while some operator looks after them. Each step waits
 * for the state that every operator has to bring about, and records the objects of that state.
 */
export class FooScenario {
  readonly #env: TestEnvironment;
  readonly #namespace: string;
  readonly #observed: Record<string, unknown> = {};

  constructor(env: TestEnvironment, namespace: string) {
    this.#env = env;
    this.#namespace = namespace;
  }

  async run(): Promise<Observations> {
    const { client } = this.#env;
    await client.create(new Namespace({ metadata: { name: this.#namespace } }));
    const foo = await client.create(this.#foo('example', { deploymentName: 'example-foo', replicas: 2 }));
    await this.#observe('created', foo, 2);

    await client.patch(foo, (draft) => {
      draft.spec.replicas = 3;
    });
    await this.#observe('scaled up', foo, 3);

    const deployment = await this.#deployment('example-foo', () => true);
    await client.patch(deployment, (draft) => {
      draft.spec.replicas = 5;
    });
    await this.#deployment(
      'example-foo',
      ({ metadata }) => (metadata.generation ?? 0) > (deployment.metadata.generation ?? 0) + 1,
    );
    await this.#observe('brought back after somebody else scaled it', foo, 3);

    await client.delete(deployment);
    await this.#deployment('example-foo', ({ metadata }) => metadata.uid !== deployment.metadata.uid);
    await this.#observe('made again after somebody deleted it', foo, 3);

    await this.#observe(
      'without replicas',
      await client.create(this.#foo('plain', { deploymentName: 'plain-foo' })),
      1,
    );
    await this.#takenName();

    await this.#gone('example-foo', () => client.delete(foo));
    this.#observed['deleted'] = 'the deployment is gone';
    return this.#observed;
  }

  /** Somebody else's Deployment has the name. */
  async #takenName(): Promise<void> {
    const { client } = this.#env;
    const labels = { app: 'theirs' };
    const theirs = await client.create(
      new Deployment({
        metadata: { name: 'taken', namespace: this.#namespace },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
        },
      }),
    );
    const foo = await client.create(this.#foo('late', { deploymentName: 'taken', replicas: 2 }));
    this.#observed['name taken'] = {
      event: await this.#event(foo, 'ErrResourceExists'),
      foo: plain(await this.#env.read(foo)),
      spec: (await this.#env.read(theirs)).spec,
    };
    await client.delete(foo);
  }

  async #observe(step: string, foo: Foo, replicas: number): Promise<void> {
    const name = foo.spec.deploymentName;
    const deployment = await this.#deployment(
      name,
      ({ metadata, spec, status }) =>
        spec.replicas === replicas &&
        status?.observedGeneration === metadata.generation &&
        status?.availableReplicas === replicas &&
        status.replicas === replicas &&
        !status.unavailableReplicas &&
        !status.terminatingReplicas,
    );
    const done = await this.#seen<Foo>(Foo, foo.metadata.name, ({ status }) => status?.availableReplicas === replicas);
    this.#observed[step] = { foo: plain(done), deployment: plain(deployment), event: await this.#event(foo, 'Synced') };
  }

  #foo(name: string, spec: Pick<FooSpec, 'deploymentName'> & Partial<FooSpec>): Foo {
    return new Foo({ metadata: { name, namespace: this.#namespace }, spec });
  }

  #deployment(name: string, isSo: (deployment: Deployment) => boolean): Promise<Deployment> {
    return this.#seen(Deployment, name, isSo);
  }

  async #event(foo: Foo, reason: string): Promise<unknown> {
    const { uid } = foo.metadata;
    return plain(
      await this.#seen(Event, undefined, (event) => event.reason === reason && event.involvedObject.uid === uid),
    );
  }

  /** The object once it is as it should be. */
  async #seen<T extends KubeObject>(
    kind: KindRef<T>,
    name: string | undefined,
    isSo: (object: T) => boolean,
  ): Promise<T> {
    await using informer = await this.#env.cluster.cache.informer(kind);
    for await (const { type, object } of informer.changes()) {
      if (type === 'deleted' || object.metadata.namespace !== this.#namespace) continue;
      if ((name === undefined || object.metadata.name === name) && isSo(object)) return object;
    }
    throw new Error('the informer has ended');
  }

  /** Does something, and waits for the Deployment to be gone then. */
  async #gone(name: string, step: () => Promise<unknown>): Promise<void> {
    await using informer = await this.#env.cluster.cache.informer(Deployment);
    let done: Promise<unknown> | undefined;
    for await (const { type, object } of informer.changes()) {
      if (object.metadata.namespace !== this.#namespace || object.metadata.name !== name) continue;
      if (type === 'deleted') break;
      done ??= step();
    }
    await done;
  }
}

function plain(object: object): unknown {
  return JSON.parse(JSON.stringify(object));
}
