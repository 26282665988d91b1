import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import type { Change } from '../store/change.js';
import type { Index } from '../store/index-declaration.js';
import type { ListOptions } from '../store/list-options.js';
import type { ReadOptions } from '../store/read-options.js';

/**
 * The public interface of the cached objects of one kind, with reads, waits and changes. Reads are synchronous. All returned objects are
 * frozen, and shared between all callers.
 */
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
   * Yields only the changes of objects that match this filter. If an object starts to match, yields an `added` change. If an object stops
   * matching, yields a `deleted` change with its last matching state. @default every object
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
  /** The label selector of the requests. If the selectors of the namespaces differ, contains all selectors, joined with ' or '. */
  readonly labels: string | undefined;
  readonly fields: string | undefined;
  readonly metadataOnly: boolean;
  /** The number of objects in the store. */
  readonly size: number;
  /** The size of the JSON of these objects, in bytes. Heap usage grows with this size. */
  readonly bytes: number;
}
