/** The numbers of events by outcome. All numbers except `waiting` only increase. */
export interface EventStats {
  /** Occurrences that recorders received. */
  readonly recorded: number;
  /** Events and counts that were sent. */
  readonly sent: number;
  /** Events that were suppressed because their object caused too many. Later occurrences count as repetitions. */
  readonly silenced: number;
  /** Events that were dropped because the queue was full. */
  readonly dropped: number;
  /** Events that failed because the server rejected them or was not reachable. */
  readonly failed: number;
  /** Events that wait to be sent or are being sent. */
  readonly waiting: number;
}

/** The stats before the first event. */
export const NO_EVENTS: EventStats = { recorded: 0, sent: 0, silenced: 0, dropped: 0, failed: 0, waiting: 0 };

/** Returns the sum of two stats. */
export function addedStats(one: EventStats, other: EventStats): EventStats {
  return {
    recorded: one.recorded + other.recorded,
    sent: one.sent + other.sent,
    silenced: one.silenced + other.silenced,
    dropped: one.dropped + other.dropped,
    failed: one.failed + other.failed,
    waiting: one.waiting + other.waiting,
  };
}
