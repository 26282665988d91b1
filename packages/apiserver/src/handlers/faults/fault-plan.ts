import type { PlannedWrite } from './planned-write.js';

/** A request that the server passes to `FaultPlan.onRequest` before it executes the request. */
export interface PlannedRequest {
  readonly verb: string;
  /** The plural name of the resource. */
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The number of this request among the requests of the same verb and resource since the server started, from 1. */
  readonly ordinal: number;
  /**
   * The object and the changed fields of a write to the embedded server. The server calculates the value when the property is read in
   * `onRequest`. Undefined for a read, and for a request to a `FaultProxy`.
   */
  readonly write?: PlannedWrite | undefined;
  /** The header `Audit-ID` of the request, by which a client can recognize its request. */
  readonly id?: string | undefined;
  /** The query of the request, such as the resourceVersion of a list. */
  readonly query?: URLSearchParams | undefined;
}

/** A watch event that the server passes to `FaultPlan.onWatchEvent` before it sends the event. */
export interface PlannedWatchEvent {
  readonly resource: string;
  /** The number of this watch among the watches of the resource since the server started, from 1. */
  readonly watch: number;
  /** The number of this event in the watch, from 1. The only bookmark that counts is the bookmark at the end of the initial events. */
  readonly ordinal: number;
  /** The resourceVersion of the change that the event reports. Undefined for a bookmark. */
  readonly version?: string | undefined;
  /** The header `Audit-ID` of the request that opened the watch. */
  readonly id?: string | undefined;
}

/**
 * A fault of a request.
 * - `status`: the server responds with an error and does not execute the request. If `after` is `write`, the server first executes the
 *   request.
 * - `cut`: the server breaks the connection without a response. If `after` is `none`, the server does not execute the request. If `after`
 *   is `write`, the server first executes the request.
 * - `delay`: the server executes the request after the delay if the client is still connected.
 * - `stale`: the embedded server answers a list with the state at an earlier resourceVersion. Ignored for other requests and proxies.
 * - `reverse`: the embedded server sends the objects of a list, or the initial objects of a watch, in reverse order. Ignored for other
 *   requests and proxies.
 */
export type RequestFault =
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number; readonly after?: 'write' }
  | { readonly kind: 'cut'; readonly after: 'none' | 'write' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'stale'; readonly version: string }
  | { readonly kind: 'reverse' };

/**
 * A fault of a watch at an event.
 * - `cut`: the connection breaks before the event, or within the event if `midEvent` is true.
 * - `expire`: the server sends an ERROR event with status 410 instead of the event, and ends the watch. With `afterMs`, the server sends
 *   nothing for this time before the ERROR event.
 * - `repeat`: the server sends the event twice.
 * - `delay`: the server sends the event and all later events after the delay.
 */
export type WatchFault =
  | { readonly kind: 'cut'; readonly midEvent: boolean }
  | { readonly kind: 'expire'; readonly afterMs?: number }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'delay'; readonly ms: number };

/** Plans faults by the numbers of requests and events, not by time, so that the same plan causes the same faults on every machine. */
export interface FaultPlan {
  onRequest?(request: PlannedRequest): RequestFault | undefined;
  onWatchEvent?(event: PlannedWatchEvent): WatchFault | undefined;
}
