import type { ReportedEvent } from './event-sink.js';
import type { Occurrence } from './occurrence.js';

/** An event, with the number of its occurrences and its state at the sink. */
export interface CountedEvent {
  readonly name: string;
  /** The first occurrence of the event. If the event combines similar events, the latest occurrence. */
  occurrence: Occurrence;
  readonly firstObserved: Date;
  lastObserved: Date;
  /** The time of the latest occurrence on the monotonic clock, in milliseconds. */
  lastObservedMs: number;
  count: number;
  /** The last count that the sink accepted. 0 if it has accepted none. */
  sentCount: number;
  /** Whether the event is waiting to be sent or is being sent. */
  queued: boolean;
  /** Whether the event occurred again while it was waiting or being sent. If so, the new count is sent afterwards. */
  again: boolean;
}

/** Returns the event with its current count, as a sink receives it. */
export function reported(counted: CountedEvent): ReportedEvent {
  const { name, count, firstObserved, lastObserved } = counted;
  const { at: _at, fence: _fence, ...event } = counted.occurrence;
  return { ...event, name, namespace: event.regarding.namespace ?? 'default', count, firstObserved, lastObserved };
}
