import type { KubeObject } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import type { ApiServer } from '@kubewright/apiserver';
import type { Json, StoredObject, ResourcePath, Scenario } from './scenario.js';

/** Acts as the users of a scenario. Uses the registry of the server directly, because user requests are not under test. */
export class Users {
  readonly #cluster: { readonly server: ApiServer };
  readonly #scenario: Scenario;
  readonly #living = new Set<string>();
  #seen:
    | { readonly server: ApiServer; readonly resourceVersion: string; readonly unmet: readonly string[] }
    | undefined;

  /** @param cluster the cluster of the users; a restart replaces `cluster.server`, so each action reads this property again */
  constructor(cluster: { readonly server: ApiServer }, scenario: Scenario) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    scenario.external?.reset();
    const crds = this.#resource('apiextensions.k8s.io/v1/customresourcedefinitions');
    for (const kind of [scenario.kinds].flat()) crds.create(crdFor(kind), asUser('create'));
    for (const { object, resource } of scenario.prepared ?? []) {
      this.#resource(resource).create(object, asUser('create'), keyOf(object));
    }
  }

  create(sample: KubeObject): void {
    this.#samples.create(sample, asUser('create'), keyOf(sample));
    this.#living.add(sample.metadata.name);
  }
  edit(sample: KubeObject): void {
    const edited = (live: StoredObject): unknown => ({ ...live, spec: this.#scenario.edit(live.spec as Json) });
    this.#samples.update(keyOf(sample), (live) => edited(live), asUser('update'));
  }
  delete(sample: KubeObject): void {
    this.#samples.delete(keyOf(sample), {}, asUser('delete'));
    this.#living.delete(sample.metadata.name);
  }
  /** Deletes the children of the sample, as another client of the cluster would. */
  deleteChildren(sample: KubeObject): void {
    const { uid } = this.#samples.get(keyOf(sample)).metadata;
    for (const child of this.#childrenOf(uid, this.#scenario.children)) {
      this.#resource(this.#scenario.children).delete(keyOf(child), {}, asUser('delete'));
    }
  }

  /** Describes the differences between the current and the desired state, one sentence each. */
  unmet(): readonly string[] {
    const { server } = this.#cluster;
    const { resourceVersion } = server;
    if (this.#scenario.listener !== undefined) return this.#unmet();
    // Caches the result, because the result depends only on the stored objects and is requested frequently.
    if (this.#seen?.server !== server || this.#seen.resourceVersion !== resourceVersion) {
      this.#seen = { server, resourceVersion, unmet: this.#unmet() };
    }
    return this.#seen.unmet;
  }

  #unmet(): readonly string[] {
    const samples = this.#samples.list().items as unknown as readonly StoredObject[];
    const names = new Set(samples.map(({ metadata }) => metadata.name));
    return [
      ...[...this.#living].filter((name) => !names.has(name)).map((name) => `${name} was lost`),
      ...samples
        .filter(({ metadata }) => !this.#living.has(metadata.name))
        .map(({ metadata }) => `${metadata.name} is not deleted`),
      ...samples
        .filter((sample) => !this.#isConverged(sample))
        .map((sample) => `${sample.metadata.name} is not converged: ${JSON.stringify(sample.status)}`),
      ...samples
        .filter((sample) => !isReported(sample))
        .map((sample) => `the status of ${sample.metadata.name} is outdated: ${JSON.stringify(sample.status)}`),
      ...(this.#scenario.unmet?.(samples) ?? []),
      ...this.#orphans(),
    ];
  }

  #isConverged(sample: StoredObject): boolean {
    const all = (path: ResourcePath) => this.#resource(path).list().items as unknown as readonly StoredObject[];
    return this.#scenario.isConverged(sample, (uid, path) => this.#childrenOf(uid, path), all);
  }
  #resource(path: ResourcePath) {
    const [group = '', version = '', plural = ''] = path.split('/');
    const { registry } = this.#cluster.server;
    const definition = registry.find(group, version, plural);
    if (definition === undefined) throw new Error(`the server has no resource ${path}`);
    return registry.resource(definition);
  }
  get #samples() {
    return this.#resource(this.#scenario.resource);
  }
  #childrenOf(uid: string, path: ResourcePath): readonly StoredObject[] {
    const objects = this.#resource(path).list().items as unknown as readonly StoredObject[];
    return objects.filter((object) => ownersOf(object).includes(uid));
  }
  /** Describes objects whose owners are all deleted. */
  #orphans(): readonly string[] {
    const { registry } = this.#cluster.server;
    const all = registry
      .stored()
      .flatMap((definition) => registry.resource(definition).list().items as unknown as readonly StoredObject[]);
    const living = new Set(all.map(({ metadata }) => metadata.uid));
    return all
      .filter((object) => ownersOf(object).length > 0 && !ownersOf(object).some((uid) => living.has(uid)))
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is an orphan`);
  }
}

/** Whether the status reports a successful reconcile of the current generation. True if the status does not report reconciles. */
function isReported({ metadata: { generation }, status }: StoredObject): boolean {
  const { observedGeneration = generation, conditions } = (status ?? {}) as {
    readonly observedGeneration?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly observedGeneration?: number;
    }[];
  };
  const reconciled = conditions?.find(({ type }) => type === 'Reconciled');
  return (
    observedGeneration === generation &&
    (reconciled === undefined ||
      (reconciled.status === 'True' && (reconciled.observedGeneration ?? generation) === generation))
  );
}

function asUser(verb: string) {
  return {
    verb,
    fieldManager: 'user',
    dryRun: false,
    fieldValidation: 'Strict' as const,
    warnings: [],
    user: { name: 'user', groups: ['system:masters', 'system:authenticated'] },
  };
}
function ownersOf(object: StoredObject): readonly string[] {
  return (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
function keyOf({ metadata: { namespace, name } }: Pick<StoredObject, 'metadata'> | KubeObject): {
  namespace?: string;
  name: string;
} {
  return namespace === undefined ? { name } : { namespace, name };
}
