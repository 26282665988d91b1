/** What a fault plan is told about a request before it is carried out. */
export interface PlannedRequest {
  readonly verb: string;
  /** The plural name of the resource. */
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The how manieth request of this verb and resource since the server started, from 1. */
  readonly ordinal: number;
}

/** What a fault plan is told about an event before a watch sends it. */
export interface PlannedWatchEvent {
  readonly resource: string;
  /** The how manieth watch of this resource since the server started, from 1. */
  readonly watch: number;
  /** The how manieth event of this watch, from 1. Of bookmarks only the one that ends the initial events counts. */
  readonly ordinal: number;
}

/**
 * What goes wrong with a request: it is answered with a failure, or the connection is cut without an answer (before anything happens, or
 * after the write was done, as by a server that waited for its storage too long), or it is carried out late, if somebody still waits for
 * it then.
 */
export type RequestFault =
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number; readonly after?: 'write' }
  | { readonly kind: 'cut'; readonly after: 'none' | 'write' }
  | { readonly kind: 'delay'; readonly ms: number };

/**
 * What goes wrong with a watch at an event: the connection is cut (in its middle or before it), the watch expires with 410, the
 * event comes twice, or it and those behind it come late.
 */
export type WatchFault =
  | { readonly kind: 'cut'; readonly midEvent: boolean }
  | { readonly kind: 'expire' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'delay'; readonly ms: number };

/** Faults at logical points, so that the same plan gives the same run whatever the machine is doing. */
export interface FaultPlan {
  onRequest?(request: PlannedRequest): RequestFault | undefined;
  onWatchEvent?(event: PlannedWatchEvent): WatchFault | undefined;
}
