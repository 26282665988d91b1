import { type ApiObject, stringAt } from '../registry/json-object.js';
import { customResourceDefinitionBucket, type Registry } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import { cleanupFinalizer } from '../registry/strategies/custom-resource-definition.js';
import type { FeedEvent } from './resource-feed.js';
import { WorkLoop } from './work-loop.js';

/** Deletes the objects of a CustomResourceDefinition that is being deleted, and then lets it go. */
export class CustomResourceCleanup {
  readonly loop: WorkLoop;
  readonly #registry: Registry;
  /** The names of definitions under deletion, by the bucket of their objects. */
  readonly #terminating = new Map<string, string>();

  constructor(registry: Registry, onActivity: () => void) {
    this.#registry = registry;
    this.loop = new WorkLoop({
      name: 'custom-resource-cleanup',
      clock: registry.clock,
      sync: (name) => this.#sync(name),
      onActivity,
    });
  }

  /** Takes note of a change; work follows later. */
  observe({ type, bucket, object }: FeedEvent): void {
    const crd = object as unknown as ApiObject;
    if (bucket === customResourceDefinitionBucket) {
      if (type === 'DELETED') this.#terminating.delete(bucketOf(crd));
      else if (crd.metadata.deletionTimestamp !== undefined) {
        this.#terminating.set(bucketOf(crd), crd.metadata.name);
        this.loop.add(crd.metadata.name);
      }
    } else if (type === 'DELETED') {
      const name = this.#terminating.get(bucket);
      if (name !== undefined) this.loop.add(name);
    }
  }

  #sync(name: string): void {
    const definitions = this.#registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
    const crd = definitions.find({ name });
    if (crd?.metadata.deletionTimestamp === undefined) return;
    const bucket = bucketOf(crd);
    const resource = this.#registry.inBucket(bucket);
    const { store } = this.#registry;
    for (const { metadata } of store.list(bucket)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      resource?.delete(metadata, {}, systemContext(this.loop.name, 'delete'));
    }
    if (store.list(bucket).length > 0) return;
    definitions.update({ name }, withoutFinalizer, systemContext(this.loop.name, 'update'));
  }
}

function withoutFinalizer(live: ApiObject): unknown {
  const finalizers = (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  return { ...live, metadata: { ...live.metadata, finalizers } };
}

function bucketOf(crd: ApiObject): string {
  return `${stringAt(crd, 'spec', 'group')}/${stringAt(crd, 'spec', 'names', 'plural')}`;
}
