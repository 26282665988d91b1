import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import type { WaitOptions } from '../waiting/bounded-wait.js';
import type { Informer, InformerOptions, InformerStatistics } from './informer/informer.js';

/**
 * The cached objects of a cluster. All callers share the informers of a kind: at most one informer of whole objects, and one of metadata.
 */
export abstract class Cache {
  /**
   * Opens the informer of a kind. By default, waits for its first list; if `waitForSync` is false, does not wait. When all callers have
   * disposed of the informer, the watch stops; a later call opens the informer again. Rejects with KIND_NOT_SERVED if the API server does
   * not serve the kind, with METADATA_ONLY if whole objects are requested but the cache keeps only the metadata of the kind, with
   * INVALID_SELECTOR if a selector is not valid, with INDEX_EXISTS if another index has the same name, with INFORMER_CLOSED if the cache is
   * closed, and with the reason of the signal if the signal is aborted.
   */
  abstract informer<T extends KubeObject>(kind: KindRef<T>, options?: InformerOptions<T>): Promise<Informer<T>>;

  /** Returns the statistics of each open informer. */
  abstract informers(): readonly InformerStatistics[];

  /**
   * Waits until the watches have delivered a write: until each open informer of the kind has received this version of the object or a later
   * version. After `client.delete(object)`, waits for the deletion. Use this method in code that depends on watched changes. Reads of the
   * same client do not need a wait, because they include the writes of the client immediately.
   *
   * Resolves immediately if no informer selects the object. Also resolves if a list shows that the server was restored to an older state,
   * because the version may then never be delivered. Rejects with NOT_OBSERVED after the timeout, with INFORMER_CLOSED if the cache is
   * closed, and with the reason of the signal if the signal is aborted.
   *
   * @example
   * const pod = await client.create(podFor(vm));
   * await cache.seen(pod, { timeout: '10s' });
   */
  abstract seen(object: KubeObject, options?: WaitOptions): Promise<void>;

  /**
   * Same as `Informer.until`, but does not require an open informer: if the object is not watched yet, watches only this object for the
   * duration of the wait. Also rejects with KIND_NOT_SERVED and METADATA_ONLY, as `informer` does.
   *
   * @example
   * await cache.until(CustomResourceDefinition, { name: 'racks.example.com' }, isReady, { timeout: '10s' });
   */
  async until<T extends KubeObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    isSo: (now: T) => boolean,
    options: WaitOptions = {},
  ): Promise<T> {
    await using informer = await this.informer(kind, onlyOf(key, options));
    return await informer.until(key, isSo, options);
  }

  /**
   * Same as `Informer.untilDeleted`, but does not require an open informer: if the object is not watched yet, watches only this object for
   * the duration of the wait. Also rejects with KIND_NOT_SERVED and METADATA_ONLY, as `informer` does.
   */
  async untilDeleted(object: KubeObject, options: WaitOptions = {}): Promise<void> {
    await using informer = await this.informer(kindRefOf(object), onlyOf(object.metadata, options));
    await informer.untilDeleted(object, options);
  }

  /**
   * Adds a namespace to the cache. Every informer that uses the namespaces of the cache lists and watches this namespace. Resolves when
   * these informers have listed the namespace. Rejects with NAMESPACES_FIXED if the cache contains all namespaces, with INVALID_CACHE if
   * the name is not valid, with INFORMER_CLOSED if the cache is closed, and with the reason of the signal if the signal is aborted.
   */
  abstract addNamespace(namespace: string, options?: { readonly signal?: AbortSignal }): Promise<void>;

  /**
   * Removes a namespace and its objects from the cache. Handlers receive these objects as deleted and `stale`. Rejects with
   * NAMESPACES_FIXED if the cache contains all namespaces, or if `namespace` is the last namespace of the cache.
   */
  abstract removeNamespace(namespace: string): Promise<void>;
}

/**
 * Returns the options of an informer for a single object. The informer does not wait for its first list, so that the timeout of the wait
 * includes the list.
 */
function onlyOf({ name, namespace }: ObjectKey, { signal }: WaitOptions): InformerOptions<KubeObject> {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(signal !== undefined && { signal }),
    fields: { 'metadata.name': name },
    waitForSync: false,
  };
}
