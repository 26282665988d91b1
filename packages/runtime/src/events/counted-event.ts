import type { ReportedEvent } from './event-sink.js';
import type { Occurrence } from './occurrence.js';

/** An event with the number of its occurrences, and its state at the sink. */
export interface CountedEvent {
  readonly name: string;
  /** The first occurrence; for a combined event, the latest occurrence. */
  occurrence: Occurrence;
  readonly firstObserved: Date;
  lastObserved: Date;
  /** The monotonic time of the latest occurrence, in milliseconds. */
  lastObservedMs: number;
  count: number;
  /** The count that the sink last accepted; 0 before the first success. */
  sentCount: number;
  /** Whether the event waits to be sent or is being sent. */
  queued: boolean;
  /** Whether the event occurred again while it was queued or being sent. The sender then sends the new count afterwards. */
  again: boolean;
}

/** Returns the current state of the event, as the sink receives it. */
export function reported(counted: CountedEvent): ReportedEvent {
  const { name, count, firstObserved, lastObserved } = counted;
  const { at: _at, fence: _fence, ...said } = counted.occurrence;
  return { ...said, name, namespace: said.regarding.namespace ?? 'default', count, firstObserved, lastObserved };
}
