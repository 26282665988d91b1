import type { Occurrence } from './occurrence.js';

/** The current state of an event, as the sink receives it. */
export interface ReportedEvent extends Omit<Occurrence, 'at'> {
  readonly name: string;
  /** The namespace of the object, or 'default'. */
  readonly namespace: string;
  /** The number of occurrences. */
  readonly count: number;
  readonly firstObserved: Date;
  readonly lastObserved: Date;
}

/** A destination of events. The errors of `create` and `update` determine whether the sender retries. */
export interface EventSink {
  /**
   * Creates the event. The sender retries after a missing answer, a 429 or a server error, up to twelve attempts. It drops the event after
   * any other error. If the event already exists, the creation counts as successful.
   */
  create(event: ReportedEvent, signal: AbortSignal): Promise<void>;
  /**
   * Updates the count and the time of the latest occurrence. If the event is not found, the sender creates it again. The sender handles
   * other errors as for `create`.
   */
  update(event: ReportedEvent, signal: AbortSignal): Promise<void>;
}
