import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import { kindRefOf } from '@kubewright/api/metadata';
import type { Change } from './change.js';
import type { Index } from './index-declaration.js';
import type { ListOptions } from './list-options.js';
import type { ReadOptions } from './read-options.js';

/** The cached objects of one kind. Reads are synchronous. All returned objects are frozen, and shared between all callers. */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  /** Returns the object with this key, or undefined. */
  get(key: ObjectKey, options?: ReadOptions): T | undefined;
  /** Returns the objects that match the options. Throws UNSUPPORTED_READ, UNKNOWN_INDEX, INVALID_SELECTOR and INVALID_OPTION. */
  list(options?: ListOptions<T>): readonly T[];
  /** The number of objects. */
  readonly size: number;
  /** Resolves when the store contains the first list. Rejects with INFORMER_CLOSED. */
  synced(): Promise<void>;
  /** Iterates the existing objects and then all later changes. The iteration ends when the signal is aborted or the informer is closed. */
  changes(options?: ChangesOptions<T>): AsyncIterable<Change<T>>;
  /**
   * Waits until the object with this key exists and passes `isSo`, and resolves with that state. Tests the current state and every state
   * that the watch delivers, however briefly the state lasts. Rejects with NOT_REACHED after the timeout, with the error that `isSo`
   * throws, with INFORMER_CLOSED, and with the reason of the signal.
   *
   * @example
   * const deployment = await deployments.until(key, isReady, { timeout: '5m' });
   */
  until(key: ObjectKey, isSo: (now: T) => boolean, options?: WaitOptions): Promise<T>;
  /**
   * Waits until this object is deleted. If the passed object has a uid, an object with the same key and another uid counts as a deletion.
   * Rejects with the same errors as `until`.
   */
  gone(object: KubeObject, options?: WaitOptions): Promise<void>;
}

/** Options of `Informer.changes`. */
export interface ChangesOptions<T extends KubeObject = KubeObject> {
  /**
   * Yields only the changes of objects that match this filter. An object that starts to match is added. An object that stops matching is
   * deleted, with its last matching state. @default every object
   */
  readonly filter?: (object: T) => boolean;
  readonly signal?: AbortSignal;
  /** Yields every object again at this interval, as modified with `old` the same as `object`. @default the setting of the cache */
  readonly resync?: Duration | false;
}

/** Options of `Cache.informer`. */
export interface InformerOptions<T extends KubeObject> extends Pick<ListOptions<T>, 'namespace' | 'labels'> {
  /** The fields that the objects must have, or a selector such as 'status.phase!=Failed'. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /** The indexes for lookups of the objects. @default none */
  readonly indexes?: readonly Index<T>[];
  /** If `false`, `Cache.informer` does not wait for the first list. @default true */
  readonly waitForSync?: boolean;
  /** Aborts the wait for the first list. @default none */
  readonly signal?: AbortSignal;
}

/** The state of an informer, for metrics and messages. */
export interface InformerStatistics {
  /** The name of the kind. */
  readonly kind: string;
  readonly apiVersion: string;
  /** The namespaces that are watched, with one watch for each; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The label selector of the requests. If the selectors of the namespaces differ, all selectors. */
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly metadataOnly: boolean;
  /** The number of objects in the store. */
  readonly size: number;
  /** The size of the JSON of these objects, in bytes. Heap usage grows with this size. */
  readonly bytes: number;
}

/** The informers of a cluster. The informer of a kind is shared by all callers. */
export abstract class Cache {
  /**
   * Opens the informer of a kind and waits for its first list. The watch stops when all callers have disposed of the informer, and the
   * informer can be opened again later. Rejects with KIND_NOT_SERVED, and with the reason of the signal.
   */
  abstract informer<T extends KubeObject>(kind: KindRef<T>, options?: InformerOptions<T>): Promise<Informer<T>>;

  /** Returns the statistics of every open informer. */
  abstract informers(): readonly InformerStatistics[];

  /**
   * Resolves when the watches have caught up with a write: every open informer of the kind has received this version of the object, a later
   * version, or, after `client.delete(object)`, its deletion. Reads of the same client do not need to wait, because they include the own
   * writes immediately. Code that acts on watched changes may need to wait. Resolves immediately if no informer selects the object. Also
   * resolves when a list shows that the server was restored to an older state, because the awaited version may never arrive. Rejects with
   * NOT_SEEN after the timeout, and with the reason of the signal.
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

/** Limits of a wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** @default no timeout */
  readonly timeout?: Duration;
}

/** Returns the options of an informer of one object, which may not exist. */
function onlyOf({ name, namespace }: ObjectKey, { signal }: WaitOptions): InformerOptions<KubeObject> {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(signal !== undefined && { signal }),
    fields: { 'metadata.name': name },
    waitForSync: false,
  };
}
