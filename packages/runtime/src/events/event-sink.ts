import type { Occurrence } from './occurrence.js';

/** An event with its current count, as a sink receives it. */
export interface ReportedEvent extends Omit<Occurrence, 'at'> {
  readonly name: string;
  /** The namespace of the Event: the namespace of the object, or 'default' for a cluster-scoped object. */
  readonly namespace: string;
  /** The number of occurrences so far. */
  readonly count: number;
  readonly firstObserved: Date;
  readonly lastObserved: Date;
}

/** A destination of events. Errors of `create` and `update` determine whether the event is sent again. */
export interface EventSink {
  /**
   * Creates the event. If the error is not an `ApiError`, or has status 429 or at least 500, the event is sent again, with at most twelve
   * attempts. After any other error, the event is dropped. If the event already exists, the creation counts as successful.
   */
  create(event: ReportedEvent, signal: AbortSignal): Promise<void>;
  /**
   * Updates the count of the event and the time of its latest occurrence. After a not-found error, the event is created again. Other errors
   * are handled as for `create`.
   */
  update(event: ReportedEvent, signal: AbortSignal): Promise<void>;
}
