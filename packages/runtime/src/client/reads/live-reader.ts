import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { ListOptions } from '../../cache/store/list-options.js';
import type { Reader } from './reader.js';

/** The options of `pages`: the selection, the page size and the version of the list. */
export interface PageOptions<T> extends Omit<ListOptions<T>, 'index' | 'ownWrites'> {
  /** The number of objects per page. @default 500 */
  readonly limit?: number;
  /**
   * The continue token of the previous page. The selection must be the same as for the previous page. The token also determines the
   * resourceVersion. @default the first page
   */
  readonly continue?: string;
  /**
   * The minimum resourceVersion of the list. With `versionMatch: 'exact'`, the exact resourceVersion. '0' allows any version that the
   * server has cached. @default the most recent version
   */
  readonly resourceVersion?: string;
  /**
   * How to match `resourceVersion`. 'notOlder' accepts this version or a later version. 'exact' accepts only this version; the server
   * rejects the request if it no longer has this version. @default 'notOlder'
   */
  readonly versionMatch?: 'notOlder' | 'exact';
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The token for `PageOptions.continue`; undefined on the last page. */
  readonly continue: string | undefined;
  /** The number of objects after this page, if the server reports it. */
  readonly remaining: number | undefined;
  /** The resourceVersion of the whole list. */
  readonly resourceVersion: string;
}

/** The selection and the duration of a live watch. */
export interface WatchOptions<T> extends Omit<ListOptions<T>, 'index' | 'ownWrites' | 'limit'> {
  /**
   * The resourceVersion after which the watch starts, such as the resourceVersion of a page.
   * @default none: the watch first delivers each existing object as added, and then the changes
   */
  readonly resourceVersion?: string;
  /**
   * Whether the iteration continues when a watch ends or fails. The client then opens another watch from the last delivered
   * resourceVersion, and delivers each change exactly once. The iteration ends when `signal` is aborted. Throws errors that another watch
   * cannot resolve: errors for which `isExpired` returns true, the error of a rejected request, and INVALID_RESPONSE. Requires a
   * `resourceVersion`. @default false
   */
  readonly resume?: boolean;
  /** The duration after which the server ends one watch, from '1s' to '1h'. @default '300s' */
  readonly timeout?: Duration;
  /** When this signal is aborted, the watch ends without an error. @default none */
  readonly signal?: AbortSignal;
}
/** An event of a watch. */
export interface WatchEvent<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
}

/** Reads any kind from the API server, without an informer. */
export interface LiveReader extends Reader {
  /**
   * Lists objects page by page. Requests the next page when the caller iterates to it. If the server no longer has the version of the list,
   * throws an error for which `isExpired` returns true.
   *
   * @example
   * for await (const page of client.live.pages(Pod, { limit: 100 })) console.log(page.items.length);
   */
  pages<T extends KubeObject>(kind: KindRef<T>, options?: PageOptions<NoInfer<T>>): AsyncIterable<Page<T>>;
  /**
   * Opens one watch. The iteration ends after `timeout`, when the server ends the watch; later changes are not reported. With `resume`, the
   * iteration continues with another watch.
   *
   * Throws if the connection fails. If the version is too old, throws an error for which `isExpired` returns true. The client reads from
   * the connection only when the caller iterates. A slow loop therefore applies back-pressure to the server and does not increase the
   * memory use.
   *
   * @example
   * for await (const { type, object } of client.live.watch(Pod, { namespace: 'default', signal })) console.log(type, object.metadata.name);
   */
  watch<T extends KubeObject>(kind: KindRef<T>, options?: WatchOptions<NoInfer<T>>): AsyncIterable<WatchEvent<T>>;
}
