import type { Registry } from '../../registry/registry.js';
import type { StoreEvent } from '../../storage/event-log.js';
import type { ApiObject } from '../../storage/api-object.js';
import type { StoreWatch } from '../../storage/watcher.js';

/** A change of one object of any kind. */
export interface FeedEvent {
  readonly type: StoreEvent['type'];
  readonly bucket: string;
  readonly object: ApiObject;
}

/** Delivers all objects of all kinds: first the existing objects, then each change. Includes kinds that are added later. */
export class ResourceFeed {
  readonly #registry: Registry;
  readonly #watches = new Map<string, StoreWatch>();
  readonly #listeners: ((event: FeedEvent) => void)[] = [];
  #unsubscribe: (() => void) | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Adds a listener. All listeners must be added before `start`. */
  on(listener: (event: FeedEvent) => void): void {
    this.#listeners.push(listener);
  }

  start(): void {
    this.#unsubscribe = this.#registry.onChange(() => this.#follow());
    this.#follow();
  }

  stop(): void {
    this.#unsubscribe?.();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  #follow(): void {
    const { store } = this.#registry;
    for (const { storageBucket: bucket } of this.#registry.stored()) {
      if (this.#watches.has(bucket)) continue;
      const from = store.resourceVersion;
      const present = store.list(bucket);
      this.#watches.set(
        bucket,
        store.watch(bucket, { from }, ({ type, object }) => this.#notify({ type, bucket, object })),
      );
      for (const object of present) this.#notify({ type: 'ADDED', bucket, object });
    }
  }

  #notify(event: FeedEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
