import { createRequire } from 'node:module';
import { finish } from '@kubewright/api/apply';
import type { Clock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import type { Store } from '../storage/store.js';
import { Admission, type AdmissionPlugins } from './admission/admission.js';
import { builtInDefinitions } from './built-in-definitions.js';
import { type ClusterData, clusterDataOf } from './cluster-data/cluster-data.js';
import { type KubernetesVersion, resolveKubernetesVersion } from '@kubewright/api/kubernetes-version';
import { isServed, nextStatus } from './strategies/apiextensions/custom-definition-names.js';
import { customDefinitions } from './custom/custom-definitions.js';
import type { ApiObject } from './objects/api-object.js';
import { stringAt } from './objects/json-object.js';
import { timestamp } from './metadata/metadata-rules.js';
import { systemContext } from './requests/request-context.js';
import { Resource } from './resource.js';
import type { ResourceDefinition } from './definitions/resource-definition.js';
import type { ServedResources } from './admission/served-resources.js';
import type { AggregationClient } from './aggregation/aggregation-client.js';
import { WebhookClient } from './webhooks/webhook-client.js';

const load = createRequire(import.meta.url);

/** The storage bucket of CustomResourceDefinitions. */
export const customResourceDefinitionBucket = 'apiextensions.k8s.io/customresourcedefinitions';

/**
 * Contains every served resource: the built-in resources, and the resources of the stored CustomResourceDefinitions. A write to a
 * CustomResourceDefinition updates its resources immediately.
 */
export class Registry implements ServedResources {
  readonly store: Store;
  readonly clock: Clock;
  /** The version of Kubernetes that the server emulates. */
  readonly kubernetes: KubernetesVersion;
  /** The recorded data of this version. */
  readonly data: ClusterData;
  readonly webhooks: WebhookClient;
  /** Runs the admission plugins, also for requests on objects that the server does not store. */
  readonly admission: Admission;
  readonly #builtIn: ReadonlyMap<string, ResourceDefinition>;
  readonly #custom = new Map<string, readonly ResourceDefinition[]>();
  readonly #customByPath = new Map<string, ResourceDefinition>();
  /** The result of `all`. Computed on the first call, and reset when the resources change. */
  #all: readonly ResourceDefinition[] | undefined;
  readonly #resources = new WeakMap<ResourceDefinition, Resource>();
  readonly #listeners = new Set<() => void>();
  #aggregation: AggregationClient | undefined;

  /** @param options.kubernetes the version of Kubernetes @default the default version */
  constructor(
    options: {
      readonly store: Store;
      readonly clock: Clock;
      readonly kubernetes?: KubernetesVersion;
    } & AdmissionPlugins,
  ) {
    this.store = options.store;
    this.clock = options.clock;
    this.kubernetes = options.kubernetes ?? resolveKubernetesVersion();
    this.data = clusterDataOf(this.kubernetes);
    this.webhooks = new WebhookClient(options.store, options.clock);
    this.admission = new Admission(options);
    const builtIn = builtInDefinitions(options.store, this.data);
    this.#builtIn = new Map(builtIn.map((definition) => [pathOf(definition), definition]));
    for (const stored of this.store.list(customResourceDefinitionBucket)) this.#serve(stored);
  }

  /**
   * The client for the API servers behind APIServices. The class is loaded on first use, because most clusters have no aggregated API
   * server.
   */
  get aggregation(): AggregationClient {
    this.#aggregation ??= newAggregationClient(this.store, this.clock);
    return this.#aggregation;
  }

  /** Closes the connections to webhooks and to aggregated API servers. */
  close(): void {
    this.webhooks.close();
    this.#aggregation?.close();
  }

  /** Returns the definition of a resource, or undefined if the server does not serve the resource. */
  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    const path = `${group}/${version}/${plural}`;
    return this.#builtIn.get(path) ?? this.#customByPath.get(path);
  }

  /**
   * Returns the definition of a kind, or undefined if the server does not serve the kind. The arguments are the `apiVersion` and `kind` of
   * an object or an owner reference.
   */
  findKind(apiVersion: string, kind: string): ResourceDefinition | undefined {
    return this.all().find((definition) => definition.kind === kind && definition.apiVersion === apiVersion);
  }

  /** Whether the group contains a built-in resource. */
  isBuiltInGroup(group: string): boolean {
    for (const definition of this.#builtIn.values()) if (definition.group === group) return true;
    return false;
  }

  /** Returns all definitions, one for each served version of each resource. The built-in definitions are first. */
  all(): readonly ResourceDefinition[] {
    this.#all ??= [...this.#builtIn.values(), ...this.#customByPath.values()];
    return this.#all;
  }

  /** Returns the definitions of all served versions of a resource. */
  versionsOf({ group, plural }: ResourceDefinition): readonly ResourceDefinition[] {
    return this.all().filter((definition) => definition.group === group && definition.plural === plural);
  }

  inBucketOf({ storageBucket }: ResourceDefinition): readonly ResourceDefinition[] {
    return this.all().filter((definition) => definition.storageBucket === storageBucket);
  }

  /**
   * Returns one definition for each storage bucket: the definition of the first version. Excludes resources without stored objects, such as
   * access reviews.
   */
  stored(): readonly ResourceDefinition[] {
    const byBucket = new Map<string, ResourceDefinition>();
    for (const definition of this.all()) {
      // The store contains no objects of a resource without the verb `list`, such as an access review.
      if (!definition.verbs.includes('list')) continue;
      if (!byBucket.has(definition.storageBucket)) byBucket.set(definition.storageBucket, definition);
    }
    return [...byBucket.values()];
  }

  /**
   * Registers a listener that runs after each write and each removal of a CustomResourceDefinition. Returns a function that removes the
   * listener.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns the `Resource` that implements the verbs for a definition. */
  resource(definition: ResourceDefinition): Resource {
    const known = this.#resources.get(definition);
    if (known !== undefined) return known;
    const resource = new Resource(definition, { registry: this, admission: this.admission });
    this.#resources.set(definition, resource);
    return resource;
  }

  /** Returns the `Resource` with the path `group/version/plural`. Throws a RangeError if no built-in resource has this path. */
  builtIn(path: `${string}/${string}/${string}`): Resource {
    const definition = this.#builtIn.get(path);
    if (definition === undefined) throw new RangeError(`no built-in resource has the path ${path}`);
    return this.resource(definition);
  }

  /** Returns the `Resource` whose objects are in a storage bucket, or undefined if no served resource uses the bucket. */
  inBucket(bucket: string): Resource | undefined {
    const definition = this.all().find(({ storageBucket }) => storageBucket === bucket);
    return definition === undefined ? undefined : this.resource(definition);
  }

  /**
   * Returns the `Resource` with which the server reads and writes the metadata of a stored object. This `Resource` does not convert the
   * object, so no conversion webhook is called.
   */
  asStored(definition: ResourceDefinition, { apiVersion }: ApiObject): Resource {
    return this.resource(definition.asStored?.(apiVersion) ?? definition);
  }

  /** Updates the served resources after a write to a CustomResourceDefinition. `Resource` calls this method after each write. */
  wrote({ storageBucket }: ResourceDefinition, object: ApiObject): void {
    if (storageBucket !== customResourceDefinitionBucket) return;
    this.#serve(object);
    this.#changed();
    this.#settle(object);
  }

  /** Updates the served resources after the removal of a CustomResourceDefinition. `Resource` calls this method after each removal. */
  removed({ storageBucket }: ResourceDefinition, object: ApiObject): void {
    if (storageBucket !== customResourceDefinitionBucket) return;
    this.#withdraw(object.metadata.name);
    this.#changed();
    this.#settleGroup(object);
  }

  /**
   * Sets the conditions NamesAccepted and Established of a CustomResourceDefinition before other requests run. Like kube-apiserver, writes
   * each condition separately. Unlike with kube-apiserver, clients do not need to wait for the conditions.
   */
  #settle(crd: ApiObject): void {
    const others = this.#group(crd);
    const now = timestamp(this.clock.now());
    const status = nextStatus(crd, { others, now });
    if (status === undefined) return;
    const context = systemContext('kube-apiserver', 'update', 'status');
    const definitions = this.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
    try {
      finish(definitions.replaceSteps({ name: crd.metadata.name }, (live) => ({ ...live, status }), context));
    } catch (error) {
      // If the store refuses the new status, for example because the store is full, the server does not serve the kind.
      if (error instanceof ApiError) return;
      throw error;
    }
    // This definition may have released names that other definitions need.
    this.#settleGroup(crd);
  }

  #settleGroup(crd: ApiObject): void {
    for (const other of this.#group(crd)) this.#settle(other);
  }

  /** Returns the other CustomResourceDefinitions of the same API group. */
  #group(crd: ApiObject): readonly ApiObject[] {
    const group = stringAt(crd, 'spec', 'group');
    const stored = this.store.list(customResourceDefinitionBucket);
    return stored.filter(
      (other) => stringAt(other, 'spec', 'group') === group && other.metadata.name !== crd.metadata.name,
    );
  }

  #serve(crd: ApiObject): void {
    const before = this.#custom.get(crd.metadata.name);
    this.#withdraw(crd.metadata.name);
    const definitions = isServed(crd) ? customDefinitions(crd, { webhooks: this.webhooks, before }) : [];
    this.#custom.set(crd.metadata.name, definitions);
    for (const definition of definitions) this.#customByPath.set(pathOf(definition), definition);
    this.#all = undefined;
  }

  #withdraw(name: string): void {
    for (const definition of this.#custom.get(name) ?? []) this.#customByPath.delete(pathOf(definition));
    this.#custom.delete(name);
    this.#all = undefined;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function pathOf({ group, version, plural }: ResourceDefinition): string {
  return `${group}/${version}/${plural}`;
}

function newAggregationClient(store: Store, clock: Clock): AggregationClient {
  type Loaded = typeof import('./aggregation/aggregation-client.js');
  const { AggregationClient: Made } = load('./aggregation/aggregation-client.js') as Loaded;
  return new Made(store, clock);
}
