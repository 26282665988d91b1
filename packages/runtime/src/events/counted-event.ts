import type { ReportedEvent } from './event-sink.js';
import type { Occurrence } from './occurrence.js';

/** Something that happened, how often so far, and what is known of it elsewhere. */
export interface CountedEvent {
  readonly name: string;
  /** The first; for what is combined, the latest. */
  occurrence: Occurrence;
  readonly firstObserved: Date;
  lastObserved: Date;
  /** The same on the monotonic clock. */
  lastObservedMs: number;
  count: number;
  /** What the sink knows: 0 before the first success. */
  sentCount: number;
  /** Whether it waits to be sent or is being sent. */
  queued: boolean;
  /** Whether it is to be sent again after that. */
  again: boolean;
}

/** The event as it is to be known by now. */
export function reported(counted: CountedEvent): ReportedEvent {
  const { name, count, firstObserved, lastObserved } = counted;
  const { at: _at, fence: _fence, ...said } = counted.occurrence;
  return { ...said, name, namespace: said.regarding.namespace ?? 'default', count, firstObserved, lastObserved };
}
