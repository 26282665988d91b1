import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import type { WaitOptions } from '../waiting/bounded-wait.js';
import type { Informer, InformerOptions, InformerStatistics } from './informer/informer.js';

/** The informers of a cluster. The informer of a kind is shared by all callers. */
export abstract class Cache {
  /**
   * Opens the informer of a kind and waits for its first list. The watch stops when all callers have disposed of the informer, and the
   * informer can be opened again later. Rejects with KIND_NOT_SERVED, METADATA_ONLY, INDEX_EXISTS, INFORMER_CLOSED, and with the reason of
   * the signal.
   */
  abstract informer<T extends KubeObject>(kind: KindRef<T>, options?: InformerOptions<T>): Promise<Informer<T>>;

  /** Returns the statistics of every open informer. */
  abstract informers(): readonly InformerStatistics[];

  /**
   * Resolves when the watches have caught up with a write: every open informer of the kind has received this version of the object, a later
   * version, or, after `client.delete(object)`, its deletion. Reads of the same client do not need to wait, because they include the own
   * writes immediately. Code that acts on watched changes may need to wait. Resolves immediately if no informer selects the object. Also
   * resolves when a list shows that the server was restored to an older state, because the awaited version may never arrive. Rejects with
   * NOT_SEEN after the timeout, with INFORMER_CLOSED, and with the reason of the signal.
   *
   * @example
   * const pod = await client.create(podFor(vm));
   * await cache.seen(pod, { timeout: '10s' });
   */
  abstract seen(object: KubeObject, options?: WaitOptions): Promise<void>;

  /**
   * Waits like `Informer.until`, with a watch of only this object that stops at the end of the wait. If the object does not exist, the wait
   * includes its creation. Also rejects with KIND_NOT_SERVED.
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

  /** Waits like `Informer.gone`, with a watch of only this object that stops at the end of the wait. Also rejects with KIND_NOT_SERVED. */
  async gone(object: KubeObject, options: WaitOptions = {}): Promise<void> {
    await using informer = await this.informer(kindRefOf(object), onlyOf(object.metadata, options));
    await informer.gone(object, options);
  }

  /**
   * Lists and watches one more namespace, in every current and future informer that uses the namespaces of the cache. Resolves when all
   * informers have listed the namespace. Rejects with NAMESPACES_FIXED if the cache contains all namespaces.
   */
  abstract addNamespace(namespace: string, options?: { readonly signal?: AbortSignal }): Promise<void>;

  /**
   * Stops listing and watching a namespace of the cache. Removes its objects from the cache; handlers receive these objects as deleted and
   * `stale`. Rejects with NAMESPACES_FIXED if the cache contains all namespaces, and for the last namespace.
   */
  abstract removeNamespace(namespace: string): Promise<void>;
}

/**
 * Returns the options of an informer of one object. The cache returns the informer before its first list, so that the timeout of a wait
 * includes this list.
 */
function onlyOf({ name, namespace }: ObjectKey, { signal }: WaitOptions): InformerOptions<KubeObject> {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(signal !== undefined && { signal }),
    fields: { 'metadata.name': name },
    waitForSync: false,
  };
}
