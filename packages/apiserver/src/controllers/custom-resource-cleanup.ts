import { type ApiObject, stringAt } from '../registry/json-object.js';
import { customResourceDefinitionBucket } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import { cleanupFinalizer } from '../registry/strategies/custom-resource-definition.js';
import type { Controller, ControllerSetting, KeyQueue } from './controller.js';
import type { FeedEvent } from './resource-feed.js';

/** Deletes the objects of a CustomResourceDefinition that is being deleted, and then lets it go. */
export class CustomResourceCleanup implements Controller {
  readonly name = 'custom-resource-cleanup';
  readonly #setting: ControllerSetting;
  /** The names of definitions under deletion, by the bucket of their objects. */
  readonly #terminating = new Map<string, string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const crd = object as unknown as ApiObject;
    if (bucket === customResourceDefinitionBucket) {
      if (type === 'DELETED') this.#terminating.delete(bucketOf(crd));
      else if (crd.metadata.deletionTimestamp !== undefined) {
        this.#terminating.set(bucketOf(crd), crd.metadata.name);
        queue.add(crd.metadata.name);
      }
    } else if (type === 'DELETED') {
      const name = this.#terminating.get(bucket);
      if (name !== undefined) queue.add(name);
    }
  }

  sync(name: string): void {
    const { registry } = this.#setting;
    const definitions = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
    const crd = definitions.find({ name });
    if (crd?.metadata.deletionTimestamp === undefined) return;
    const bucket = bucketOf(crd);
    const resource = registry.inBucket(bucket);
    const { store } = registry;
    for (const { metadata } of store.list(bucket)) {
      if (metadata.deletionTimestamp !== undefined) continue;
      resource?.delete(metadata, {}, systemContext(this.name, 'delete'));
    }
    if (store.list(bucket).length > 0) return;
    definitions.update({ name }, withoutFinalizer, systemContext(this.name, 'update'));
  }
}

function withoutFinalizer(live: ApiObject): unknown {
  const finalizers = (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
  return { ...live, metadata: { ...live.metadata, finalizers } };
}

function bucketOf(crd: ApiObject): string {
  return `${stringAt(crd, 'spec', 'group')}/${stringAt(crd, 'spec', 'names', 'plural')}`;
}
