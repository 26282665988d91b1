import type { Occurrence } from './occurrence.js';

/** An event as it is to be known by now. */
export interface ReportedEvent extends Omit<Occurrence, 'at'> {
  readonly name: string;
  /** That of the object, or 'default'. */
  readonly namespace: string;
  /** How often it happened. */
  readonly count: number;
  readonly firstObserved: Date;
  readonly lastObserved: Date;
}

/** Where events go. What it rejects with decides what is done: see `create` and `update`. */
export interface EventSink {
  /**
   * Makes the event known. An error of the server, and no answer at all, is waited out, up to twelve times; a refusal drops the
   * event; that it exists already counts as done.
   */
  create(event: ReportedEvent, signal: AbortSignal): Promise<void>;
  /** Says how often it happened by now, and when last. Where it is not found it is created anew; otherwise like `create`. */
  update(event: ReportedEvent, signal: AbortSignal): Promise<void>;
}
