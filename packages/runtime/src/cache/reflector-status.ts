import type { KubewrightError } from '@kubewright/api/errors';

/** What a reflector is doing. Each state says all that is needed to go on from it. */
export type ReflectorState =
  /** Made, not yet started. */
  | { readonly name: 'idle' }
  /** The first objects come as events of a watch; they are stored together when the server says that they are complete. */
  | { readonly name: 'streaming'; readonly resourceVersion: string }
  /** The objects come as lists, page by page, and are stored together after the last. */
  | { readonly name: 'listing'; readonly resourceVersion: string }
  /** The store is complete; changes since this version come as events. */
  | { readonly name: 'watching'; readonly resourceVersion: string }
  /** Something failed; after the delay `next` is tried. The store keeps what it has. */
  | { readonly name: 'waiting'; readonly delayMs: number; readonly next: 'listing' | 'streaming' | 'watching' }
  /** Ended by its signal; nothing comes any more. */
  | { readonly name: 'stopped' };

/** How a reflector fares, for readiness and metrics. */
export interface ReflectorStatus {
  readonly kind: string;
  /** The namespace that is listed; undefined for all. */
  readonly namespace?: string | undefined;
  readonly state: ReflectorState;
  /** Whether the first list is in the store. */
  readonly synced: boolean;
  /** What failed last; undefined once an attempt after it went well. */
  readonly lastError?: unknown;
  /** Why the objects cannot be had at present, with the cure; undefined while they can. */
  readonly problem?: KubewrightError | undefined;
  /** Lists, streaming ones too, that reached the store. */
  readonly lists: number;
  /** Watches that were started. */
  readonly watches: number;
  /** The newest version the store stands for; empty before the first list. */
  readonly resourceVersion: string;
}
