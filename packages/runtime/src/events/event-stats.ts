/** What became of events; each number only grows, except `waiting`. */
export interface EventStats {
  /** What recorders were told. */
  readonly recorded: number;
  /** Events made known, and counts of them. */
  readonly sent: number;
  /** Kept back, since their object had caused too many. They count as repeated when they happen again. */
  readonly silenced: number;
  /** Left out, since too many waited to be sent. */
  readonly dropped: number;
  /** Given up, since the server refused them or could not be reached. */
  readonly failed: number;
  /** Wait to be sent, or are being sent. */
  readonly waiting: number;
}

/** No events yet. */
export const NO_EVENTS: EventStats = { recorded: 0, sent: 0, silenced: 0, dropped: 0, failed: 0, waiting: 0 };

/** What became of the events of two, together. */
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
