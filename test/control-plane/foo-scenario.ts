import type { KindRef, KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Event, Namespace } from '@kubewright/api/core/v1';
import { Foo, type FooSpec } from '@kubewright/example-foo';
import type { TestEnvironment } from '@kubewright/testing';

/** The observed state after each step, by the name of the step. */
export type Observations = Readonly<Record<string, unknown>>;

/**
 * Performs a sequence of steps on Foos and their Deployments in a separate namespace while an operator reconciles the Foos. Each step waits
 * for the state that every operator must reach, and records the objects in that state.
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
    await this.#observe('restored after another client scaled it', foo, 3);

    await client.delete(deployment);
    await this.#deployment('example-foo', ({ metadata }) => metadata.uid !== deployment.metadata.uid);
    await this.#observe('recreated after another client deleted it', foo, 3);

    await this.#observe(
      'without replicas',
      await client.create(this.#foo('plain', { deploymentName: 'plain-foo' })),
      1,
    );
    await this.#takenName();

    await this.#untilDeleted('example-foo', () => client.delete(foo));
    this.#observed['deleted'] = 'the Deployment is deleted';
    return this.#observed;
  }

  /** Creates a Foo whose deploymentName is the name of a Deployment of another owner. */
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

  /** Resolves with the object as soon as it matches `isSo`. */
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

  /** Performs the step, and resolves when the Deployment is deleted. */
  async #untilDeleted(name: string, step: () => Promise<unknown>): Promise<void> {
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
