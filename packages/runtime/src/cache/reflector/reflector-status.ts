import type { KubewrightError } from '@kubewright/api/errors';

/** The state of a reflector. Each state contains the data that is necessary to continue. */
export type ReflectorState =
  /** The reflector was not started yet. */
  | { readonly name: 'idle' }
  /**
   * The initial objects are received as watch events. When the server reports that they are complete, the reflector stores them in one
   * step.
   */
  | { readonly name: 'streaming'; readonly resourceVersion: string }
  /** The objects are received as lists, page by page. After the last page, the reflector stores them in one step. */
  | { readonly name: 'listing'; readonly resourceVersion: string }
  /** The store is complete. Later changes are received as events. */
  | { readonly name: 'watching'; readonly resourceVersion: string }
  /** A request failed. After the delay, the reflector enters the state `next`. The store keeps its objects. */
  | { readonly name: 'waiting'; readonly delayMs: number; readonly next: 'listing' | 'streaming' | 'watching' }
  /** The signal has stopped the reflector. */
  | { readonly name: 'stopped' };

/** The status of a reflector, for readiness and metrics. */
export interface ReflectorStatus {
  readonly kind: string;
  /** The namespace that is listed. Undefined if all namespaces are listed. */
  readonly namespace?: string | undefined;
  readonly state: ReflectorState;
  /** Whether the store contains the first list. */
  readonly synced: boolean;
  /** The last error. Undefined after a later request succeeded. */
  readonly lastError?: unknown;
  /** Why the objects are not available, with the fix. Undefined if they are available. */
  readonly problem?: KubewrightError | undefined;
  /** The number of completed lists, including streaming lists. */
  readonly lists: number;
  /** The number of started watches. */
  readonly watches: number;
  /** The newest version of the store. Empty before the first list. */
  readonly resourceVersion: string;
}
