import type { KubewrightError } from '@kubewright/api/errors';

/** The state of a reflector. Each state contains all data that is necessary to continue from the state. */
export type ReflectorState =
  /** Created, not started yet. */
  | { readonly name: 'idle' }
  /** The initial objects arrive as watch events. The reflector stores them together when the server reports that they are complete. */
  | { readonly name: 'streaming'; readonly resourceVersion: string }
  /** The objects arrive as lists, page by page. The reflector stores them together after the last page. */
  | { readonly name: 'listing'; readonly resourceVersion: string }
  /** The store is complete. Changes since this version arrive as events. */
  | { readonly name: 'watching'; readonly resourceVersion: string }
  /** An attempt failed. After the delay, the reflector tries `next`. The store keeps its objects. */
  | { readonly name: 'waiting'; readonly delayMs: number; readonly next: 'listing' | 'streaming' | 'watching' }
  /** The signal stopped the reflector. */
  | { readonly name: 'stopped' };

/** The status of a reflector, for readiness and metrics. */
export interface ReflectorStatus {
  readonly kind: string;
  /** The namespace that is listed; undefined for all. */
  readonly namespace?: string | undefined;
  readonly state: ReflectorState;
  /** Whether the first list is in the store. */
  readonly synced: boolean;
  /** The last error; undefined after a later attempt succeeds. */
  readonly lastError?: unknown;
  /** The reason why the objects are currently not available, with a remedy; undefined while they are available. */
  readonly problem?: KubewrightError | undefined;
  /** The number of lists that reached the store, including streaming lists. */
  readonly lists: number;
  /** The number of started watches. */
  readonly watches: number;
  /** The newest version of the store; empty before the first list. */
  readonly resourceVersion: string;
}
