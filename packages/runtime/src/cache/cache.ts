import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import { kindRefOf } from '@kubewright/api/metadata';
import type { Change } from './change.js';
import type { Index } from './index-declaration.js';
import type { ListOptions } from './list-options.js';
import type { ReadOptions } from './read-options.js';

/** The cached objects of one kind: reads without waiting. Everything that is read is frozen, and shared between those who read it. */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  /** The object of this key, or undefined. */
  get(key: ObjectKey, options?: ReadOptions): T | undefined;
  /** Throws UNSUPPORTED_READ, UNKNOWN_INDEX, INVALID_SELECTOR and INVALID_OPTION. */
  list(options?: ListOptions<T>): readonly T[];
  /** How many objects there are. */
  readonly size: number;
  /** Resolves when the first list is in the store. Rejects with INFORMER_CLOSED. */
  synced(): Promise<void>;
  /** Every change from now on, first the objects that are there; ends when the signal is aborted or the informer closed. */
  changes(options?: ChangesOptions<T>): AsyncIterable<Change<T>>;
  /**
   * Waits until the object of this key is there and so, and resolves with it as it was then: asked are the state of now and every state
   * that the watch brings, however short it lasts. Rejects with NOT_REACHED after the timeout, with what `isSo` throws, with
   * INFORMER_CLOSED, and with the reason of the signal.
   *
   * @example
   * const deployment = await deployments.until(key, isReady, { timeout: '5m' });
   */
  until(key: ObjectKey, isSo: (now: T) => boolean, options?: WaitOptions): Promise<T>;
  /**
   * Waits until this very object is not there any more; another one of its name does not count, unless what is passed has no uid.
   * Rejects as `until` does.
   */
  gone(object: KubeObject, options?: WaitOptions): Promise<void>;
}

/** How changes are iterated. */
export interface ChangesOptions<T extends KubeObject = KubeObject> {
  /**
   * Only objects that this lets through: one that comes to match is added, one that ceases to is deleted, with its last state that
   * did. @default every object
   */
  readonly filter?: (object: T) => boolean;
  readonly signal?: AbortSignal;
  /** Every object comes again after so long, as modified with `old` the same as `object`. @default as the options of the cache say */
  readonly resync?: Duration | false;
}

/** What `Cache.informer` opens. */
export interface InformerOptions<T extends KubeObject> extends Pick<ListOptions<T>, 'namespace' | 'labels'> {
  /** Equal fields, or a selector such as 'status.phase!=Failed'. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /** What its objects can be found by. @default none */
  readonly indexes?: readonly Index<T>[];
  /** `false` does not wait for the first list. @default true */
  readonly waitForSync?: boolean;
  /** Ends the wait. @default none */
  readonly signal?: AbortSignal;
}

/** What an informer holds, for metrics and people. */
export interface InformerStatistics {
  /** The name of the kind. */
  readonly kind: string;
  readonly apiVersion: string;
  /** The namespaces that are watched, each by itself; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** What the server selects by, in the words of the API; of one of the namespaces where they differ. */
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly metadataOnly: boolean;
  /** Objects in the store. */
  readonly size: number;
  /** Bytes of JSON that these objects were made of; what they take on the heap grows with it. */
  readonly bytes: number;
}

/** The informers of a cluster, one for each kind. */
export abstract class Cache {
  /**
   * Opens the informer of a kind and waits for its first list; the last one to dispose of it stops the watch, and then it may be opened
   * again. Rejects with KIND_NOT_SERVED, and with the reason of the signal.
   */
  abstract informer<T extends KubeObject>(kind: KindRef<T>, options?: InformerOptions<T>): Promise<Informer<T>>;

  /** Every open informer and what it holds. */
  abstract informers(): readonly InformerStatistics[];

  /**
   * Resolves when the watches have caught up with a write: every open informer of the kind has brought this version of the object, a
   * later one, or, after `client.delete(object)`, its deletion. Reads of the same client do not need to wait, because they show its own
   * writes at once. Code that acts on watched changes may need to wait. Resolves at once if no informer selects the object. Also resolves
   * when a list shows that the server was restored to an older state, because the awaited version may never arrive. Rejects with NOT_SEEN
   * after the timeout, and with the reason of the signal.
   *
   * @example
   * const pod = await client.create(podFor(vm));
   * await cache.seen(pod, { timeout: '10s' });
   */
  abstract seen(object: KubeObject, options?: WaitOptions): Promise<void>;

  /**
   * As `Informer.until`, with a watch of this object alone that ends with the wait. An object that is not there is waited for. Rejects
   * with KIND_NOT_SERVED, too.
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

  /** As `Informer.gone`, with a watch of this object alone that ends with the wait. Rejects with KIND_NOT_SERVED, too. */
  async gone(object: KubeObject, options: WaitOptions = {}): Promise<void> {
    await using informer = await this.informer(kindRefOf(object), onlyOf(object.metadata, options));
    await informer.gone(object, options);
  }

  /**
   * Lists and watches one more namespace, in every informer that goes by the namespaces of the cache, those that are opened later
   * included; resolves when all have listed it. Rejects with NAMESPACES_FIXED where the cache holds all namespaces.
   */
  abstract addNamespace(namespace: string, options?: { readonly signal?: AbortSignal }): Promise<void>;

  /**
   * Stops listing and watching a namespace of the cache. Its objects leave the cache; handlers get them as deleted and `stale`. Rejects
   * with NAMESPACES_FIXED where the cache holds all namespaces, and for the last one.
   */
  abstract removeNamespace(namespace: string): Promise<void>;
}

/** How long a wait lasts at most. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** @default no end */
  readonly timeout?: Duration;
}

/** The informer of one object, which may not be there. */
function onlyOf({ name, namespace }: ObjectKey, { signal }: WaitOptions): InformerOptions<KubeObject> {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(signal !== undefined && { signal }),
    fields: { 'metadata.name': name },
    waitForSync: false,
  };
}
