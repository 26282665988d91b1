import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import type { Change } from '../store/change.js';
import type { Index } from '../store/index-declaration.js';
import type { ListOptions } from '../store/list-options.js';
import type { ReadOptions } from '../store/read-options.js';

/**
 * The public interface of the cached objects of one kind, with reads, waits and changes. Reads are synchronous. All returned objects are
 * frozen and shared by all callers.
 */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  /** Returns the object with this key. Returns undefined if the cache does not contain the object. */
  get(key: ObjectKey, options?: ReadOptions): T | undefined;
  /**
   * Returns the objects that match the options. Throws UNSUPPORTED_READ for field selectors and continue tokens, UNKNOWN_INDEX if an index
   * was not added, INVALID_SELECTOR for invalid labels, and INVALID_OPTION for an invalid limit.
   */
  list(options?: ListOptions<T>): readonly T[];
  /** The number of cached objects. */
  readonly size: number;
  /** Resolves when the first list is complete. Rejects with INFORMER_CLOSED if the informer is closed before that. */
  synced(): Promise<void>;
  /**
   * Iterates over the existing objects and then over all later changes. The iteration ends when the signal is aborted, or the informer is
   * closed or disposed of.
   */
  changes(options?: ChangesOptions<T>): AsyncIterable<Change<T>>;
  /**
   * Waits until the object with this key exists and `isSo` returns true, and resolves with this state of the object. Tests the current
   * state and every state that the watch delivers, even if the state lasts only briefly. Rejects with WAIT_TIMEOUT after the timeout, with
   * the error that `isSo` throws, with INFORMER_CLOSED if the informer is closed, and with the reason of the signal if the signal is
   * aborted.
   *
   * @example
   * const deployment = await deployments.until(key, isReady, { timeout: '5m' });
   */
  until(key: ObjectKey, isSo: (now: T) => boolean, options?: WaitOptions): Promise<T>;
  /**
   * Waits until this object is deleted. If the passed object has a uid, also resolves if an object with the same key has another uid.
   * Rejects with WAIT_TIMEOUT after the timeout, with INFORMER_CLOSED if the informer is closed, and with the reason of the signal if the
   * signal is aborted.
   */
  untilDeleted(object: KubeObject, options?: WaitOptions): Promise<void>;
}

/** The options of `Informer.changes`. */
export interface ChangesOptions<T extends KubeObject = KubeObject> {
  /**
   * Selects the objects whose changes are yielded. If an object starts to match the filter, yields an `added` change. If an object stops
   * matching, yields a `deleted` change with the last matching state. @default every object
   */
  readonly filter?: (object: T) => boolean;
  readonly signal?: AbortSignal;
  /**
   * The interval at which all objects are yielded again, as `modified` changes whose `old` is the same as `object`. False disables the
   * resync.
   * @default the setting of the cache
   */
  readonly resync?: Duration | false;
}

/** The options of `Cache.informer`. */
export interface InformerOptions<T extends KubeObject> extends Pick<ListOptions<T>, 'namespace' | 'labels'> {
  /** The fields that the objects must have, or a selector such as 'status.phase!=Failed'. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /** The indexes by which objects can be listed. @default none */
  readonly indexes?: readonly Index<T>[];
  /** Whether `Cache.informer` waits for the first list. @default true */
  readonly waitForSync?: boolean;
  /** Aborts the wait for the first list. @default none */
  readonly signal?: AbortSignal;
}

/** The statistics of an informer, for metrics and messages. */
export interface InformerStatistics {
  /** The name of the kind. */
  readonly kind: string;
  readonly apiVersion: string;
  /** The namespaces that are watched. Undefined if all namespaces are watched. */
  readonly namespaces: readonly string[] | undefined;
  /** The label selector of the requests. If the namespaces have different selectors, all selectors, joined with ' or '. */
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly metadataOnly: boolean;
  /** The number of stored objects. */
  readonly size: number;
  /** The total size of the JSON of the stored objects, in bytes. The heap usage is roughly proportional to this size. */
  readonly bytes: number;
}
