import type { KubeObject } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import { Transport } from '@kubewright/runtime/internal';
import type { StoredObject, ResourcePath, Scenario } from '../chaos/scenario.js';

/** The users of a scenario on a real cluster. If `namespace` is defined, all objects are in this namespace. */
export class ClusterUsers {
  readonly #transport: Transport;
  readonly #scenario: Scenario;
  readonly #namespace: string | undefined;
  readonly #living = new Set<string>();

  constructor(transport: Transport, scenario: Scenario, namespace: string | undefined) {
    this.#transport = transport;
    this.#scenario = scenario;
    this.#namespace = namespace;
    scenario.external?.reset();
  }

  async create(sample: KubeObject): Promise<void> {
    const metadata = { ...sample.metadata, ...(this.#namespace !== undefined && { namespace: this.#namespace }) };
    await this.#send('POST', this.#path(this.#scenario.resource), { ...sample, metadata });
    this.#living.add(sample.metadata.name);
  }
  async edit(sample: KubeObject): Promise<void> {
    const path = this.#pathOf(sample);
    const live = await this.#send<StoredObject>('GET', path);
    await this.#send('PATCH', path, { spec: this.#scenario.edit(live.spec as Record<string, unknown>) });
  }
  async delete(sample: KubeObject): Promise<void> {
    await this.#send('DELETE', this.#pathOf(sample));
    this.#living.delete(sample.metadata.name);
  }
  /** Deletes the children of an object, as another client of the cluster would. Does nothing if the scenario has no children. */
  async deleteChildren(sample: KubeObject): Promise<void> {
    if (!this.#scenario.made.includes(this.#scenario.children)) return;
    const { metadata } = await this.#send<StoredObject>('GET', this.#pathOf(sample));
    const path = this.#path(this.#scenario.children);
    for (const child of await this.#list(this.#scenario.children)) {
      if (!ownersOf(child).includes(metadata.uid)) continue;
      await this.#send('DELETE', `${path}/${child.metadata.name}`).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  /** Describes the differences between the current and the desired state, one sentence each. */
  async unmet(): Promise<readonly string[]> {
    const samples = await this.#list(this.#scenario.resource);
    const children = new Map<ResourcePath, readonly StoredObject[]>();
    for (const kind of this.#scenario.made) children.set(kind, await this.#list(kind));
    const all = (path: ResourcePath): readonly StoredObject[] => children.get(path) ?? [];
    const childrenOf = (uid: string, path: ResourcePath): readonly StoredObject[] =>
      all(path).filter((child) => ownersOf(child).includes(uid));
    const names = new Set(samples.map(({ metadata }) => metadata.name));
    const found = (): string =>
      [...children].map(([kind, objects]) => `${kind}: ${objects.map(summary).join(', ')}`).join('; ');
    const living = new Set([...samples, ...[...children.values()].flat()].map(({ metadata }) => metadata.uid));
    return [
      ...[...this.#living].filter((name) => !names.has(name)).map((name) => `${name} was lost`),
      ...[...names].filter((name) => !this.#living.has(name)).map((name) => `${name} is not deleted`),
      ...samples
        .filter((sample) => !this.#scenario.isConverged(sample, childrenOf, all))
        .map(
          (sample) =>
            `${sample.metadata.name} is not converged: ${JSON.stringify(sample.status)}; the namespace has ${found()}`,
        ),
      ...[...children.values()]
        .flat()
        .filter((child) => this.#isOfOperator(child) && !ownersOf(child).some((uid) => living.has(uid)))
        .map(({ metadata }) => `${metadata.name} is an orphan`),
    ];
  }

  /**
   * Whether the operator created the object for one of the samples. False for objects that the cluster creates, for example
   * the ReplicaSet of a Deployment: after an outage of the API server, the garbage collector can permanently miss the deletion of a
   * Deployment.
   */
  #isOfOperator({ metadata: { ownerReferences = [] } }: StoredObject): boolean {
    return ownerReferences.some(({ kind }) => this.#scenario.samples.some((sample) => sample.kind === kind));
  }

  async #list(path: ResourcePath): Promise<readonly StoredObject[]> {
    return (await this.#send<{ readonly items: readonly StoredObject[] }>('GET', this.#path(path))).items;
  }
  #send<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<T> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return this.#transport.request<T>({ method, path, ...(body !== undefined && { body, contentType }) });
  }
  #pathOf(sample: KubeObject): string {
    return `${this.#path(this.#scenario.resource)}/${sample.metadata.name}`;
  }
  #path(path: ResourcePath): string {
    const [group, version, plural] = path.split('/');
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    return this.#namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${this.#namespace}/${plural}`;
  }
}

/** Returns the parts of an object that explain why its owner has not converged. */
function summary({ metadata: { name, uid, deletionTimestamp, ownerReferences = [] }, spec }: StoredObject): string {
  const { replicas } = (spec ?? {}) as { readonly replicas?: number };
  return JSON.stringify({ name, uid, deletionTimestamp, owners: ownerReferences.map((owner) => owner.uid), replicas });
}

function ownersOf(object: StoredObject): readonly string[] {
  return (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
