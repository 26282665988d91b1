/** The number of events by result. All numbers except `waiting` only increase. */
export interface EventStats {
  /** The number of events that recorders received. */
  readonly recorded: number;
  /** The number of events and counts that were sent. */
  readonly sent: number;
  /**
   * The number of events that were suppressed because their object had too many events. A later occurrence of a suppressed event increases
   * the count of this event.
   */
  readonly silenced: number;
  /** The number of events that were dropped because too many events were waiting. */
  readonly dropped: number;
  /** The number of events that failed, because the server rejected them or could not be reached. */
  readonly failed: number;
  /** The number of events that are waiting to be sent or being sent. */
  readonly waiting: number;
}

/** The statistics before the first event. */
export const NO_EVENTS: EventStats = { recorded: 0, sent: 0, silenced: 0, dropped: 0, failed: 0, waiting: 0 };

/** Returns the sum of two statistics. */
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
