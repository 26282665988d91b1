/** The description of a request for a fault plan, before the server executes the request. */
export interface PlannedRequest {
  readonly verb: string;
  /** The plural name of the resource. */
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The number of this request among the requests of the same verb and resource since the server started, from 1. */
  readonly ordinal: number;
}

/** The description of an event for a fault plan, before a watch sends the event. */
export interface PlannedWatchEvent {
  readonly resource: string;
  /** The number of this watch among the watches of the resource since the server started, from 1. */
  readonly watch: number;
  /** The number of this event in the watch, from 1. Of the bookmarks, only the bookmark at the end of the initial events counts. */
  readonly ordinal: number;
}

/**
 * A fault of a request.
 * - `status`: the server answers with an error, before or after the write.
 * - `cut`: the server breaks the connection without an answer, before the request is executed or after the write, like a server whose
 *   storage is slow.
 * - `delay`: the server executes the request later, if the client is still connected.
 */
export type RequestFault =
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number; readonly after?: 'write' }
  | { readonly kind: 'cut'; readonly after: 'none' | 'write' }
  | { readonly kind: 'delay'; readonly ms: number };

/**
 * A fault of a watch at an event: the connection breaks (before or within the event), the watch expires with 410, the server sends the
 * event twice, or the event and the later events are delayed.
 */
export type WatchFault =
  | { readonly kind: 'cut'; readonly midEvent: boolean }
  | { readonly kind: 'expire' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'delay'; readonly ms: number };

/** Plans faults at logical points, so that the same plan causes the same faults on every machine. */
export interface FaultPlan {
  onRequest?(request: PlannedRequest): RequestFault | undefined;
  onWatchEvent?(event: PlannedWatchEvent): WatchFault | undefined;
}
