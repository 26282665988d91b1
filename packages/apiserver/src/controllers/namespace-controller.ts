import type { ApiObject } from '../registry/json-object.js';
import { madeAt, copyJson, type JsonDraft } from '../registry/json-object.js';
import type { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import type { FeedEvent } from './resource-feed.js';
import { WorkLoop } from './work-loop.js';

/** Empties a namespace that is being deleted and lets it go when nothing is left in it. */
export class NamespaceController {
  readonly loop: WorkLoop;
  readonly #registry: Registry;
  readonly #terminating = new Set<string>();

  constructor(registry: Registry, onActivity: () => void) {
    this.#registry = registry;
    this.loop = new WorkLoop({
      name: 'namespace-controller',
      clock: registry.clock,
      sync: (name) => this.#sync(name),
      onActivity,
    });
  }

  /** Takes note of a change; work follows later. */
  observe({ type, bucket, object }: FeedEvent): void {
    const { name, namespace, deletionTimestamp } = object.metadata;
    if (bucket === '/namespaces') {
      if (type === 'DELETED') this.#terminating.delete(name);
      else if (deletionTimestamp !== undefined) {
        this.#terminating.add(name);
        this.loop.add(name);
      }
    } else if (namespace !== undefined && this.#terminating.has(namespace)) {
      this.loop.add(namespace);
    }
  }

  #sync(name: string): void {
    const namespaces = this.#registry.builtIn('/v1/namespaces');
    const namespace = namespaces.find({ name });
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    if (!this.#emptied(name)) return;
    namespaces.update({ name }, withoutFinalizer, systemContext(this.loop.name, 'update', 'finalize'));
  }

  /** Deletes what is in the namespace; whether that was the end of it. */
  #emptied(namespace: string): boolean {
    let left = 0;
    for (const definition of this.#registry.stored()) {
      if (!definition.namespaced) continue;
      const { store } = this.#registry;
      if (store.list(definition.storageBucket, { namespace }).length === 0) continue;
      const resource = this.#registry.resource(definition);
      for (const { metadata } of store.list(definition.storageBucket, { namespace })) {
        if (metadata.deletionTimestamp !== undefined) continue;
        resource.delete(metadata, { propagationPolicy: 'Background' }, systemContext(this.loop.name, 'delete'));
      }
      left += store.list(definition.storageBucket, { namespace }).length;
    }
    return left === 0;
  }
}

function withoutFinalizer(live: ApiObject): unknown {
  const next = copyJson(live) as unknown as JsonDraft;
  const spec = madeAt(next, 'spec');
  const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  spec['finalizers'] = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  return next;
}
