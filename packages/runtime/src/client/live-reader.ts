import type { KindRef, KubeObject } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { ListOptions } from '../cache/list-options.js';
import type { Reader } from './reader.js';

/** Which objects a list of pages has, and how many a page. */
export interface PageOptions<T> extends Omit<ListOptions<T>, 'index' | 'ownWrites'> {
  /** Objects a page. @default 500 */
  readonly limit?: number;
  /** Goes on behind the page that had this token. The selection has to be the same, and the token says the version. @default the first page */
  readonly continue?: string;
  /** The list as it was at this version or later; '0' for whatever the server has at hand. @default the newest */
  readonly resourceVersion?: string;
  /** `exact` for the list as it was at just this version, as long as the server knows it. @default 'notOlder' */
  readonly versionMatch?: 'notOlder' | 'exact';
}

/** Some objects of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** For `PageOptions.continue`; undefined on the last page. */
  readonly continue: string | undefined;
  /** How many objects are behind this page, where the server says so. */
  readonly remaining: number | undefined;
  /** The version that the whole list has. */
  readonly resourceVersion: string;
}

/** Which changes a live watch tells, and for how long. */
export interface WatchOptions<T> extends Omit<ListOptions<T>, 'index' | 'ownWrites' | 'limit'> {
  /** Changes after this version, such as that of a page. @default what is there first, each as added, then the changes */
  readonly resourceVersion?: string;
  /**
   * Goes on with another watch where one ended or broke, from the last version that was told: nothing is missed and nothing comes
   * twice. It ends by its signal, and throws what `isExpired` knows, what the server refuses, and INVALID_ANSWER. Needs a
   * `resourceVersion`. @default false
   */
  readonly resume?: boolean;
  /** The server ends one watch after so long; from '1s' to '1h'. @default '300s' */
  readonly timeout?: Duration;
  /** Ends the watch, without an error. @default none */
  readonly signal?: AbortSignal;
}
/** What a watch tells. */
export interface WatchEvent<T> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
}

/** Reads from the API server: any kind, no informer. */
export interface LiveReader extends Reader {
  /**
   * A list page by page; the next one is asked for when it is iterated to. Throws what `isExpired` knows when the server no longer has
   * the list that a page was of.
   *
   * @example
   * for await (const page of client.live.pages(Pod, { limit: 100 })) console.log(page.items.length);
   */
  pages<T extends KubeObject>(kind: KindRef<T>, options?: PageOptions<NoInfer<T>>): AsyncIterable<Page<T>>;
  /**
   * One watch. Ends when the server ends it, after some minutes, and then tells nothing of what was missed; throws when it breaks, and
   * what `isExpired` knows when the version is too old. With `resume` it goes on; a cache's informer goes on whatever happens. What is
   * not iterated is not read from the connection, so that a slow loop holds the server back and not memory.
   *
   * @example
   * for await (const { type, object } of client.live.watch(Pod, { namespace: 'default', signal })) console.log(type, object.metadata.name);
   */
  watch<T extends KubeObject>(kind: KindRef<T>, options?: WatchOptions<NoInfer<T>>): AsyncIterable<WatchEvent<T>>;
}
