import type { Clock, Timer } from '@kubewright/api/clock';
import type { CountedEvent } from './counted-event.js';
import { eventName } from './event-name.js';
import { budgetKey, type Occurrence } from './occurrence.js';
import { RecentEntries } from './recent-entries.js';
import { type Grouped, SimilarEvents } from './similar-events.js';
import { SpamBudget } from './spam-budget.js';

/**
 * The time in milliseconds without a new occurrence after which a series ends. The last count is then sent, and the series is discarded.
 */
const SERIES_MS = 360_000;
/** The interval in milliseconds at which active series are sent again. The server would otherwise delete their events. */
const REFRESH_MS = 1_800_000;
const MOST_EVENTS = 4096;

/** How repeated events are reported: 'series' reports a series with few updates, and 'each' reports each new count. */
export type Counting = 'series' | 'each';

/** The dependencies of an `EventCorrelator`. */
export interface EventCorrelatorOptions {
  readonly clock: Clock;
  readonly counting: Counting;
  /** Sends the current state of an event to the sink. */
  readonly send: (event: CountedEvent) => void;
}

/**
 * Reduces the number of events in the same steps as client-go: combines similar events, counts equal events, and suppresses events of an
 * object with too many events. With 'series', sends the first and the second occurrence, each doubling of the count, the count every half
 * hour, and the last count. With 'each', sends every count.
 */
export class EventCorrelator {
  readonly #options: EventCorrelatorOptions;
  readonly #clock: Clock;
  readonly #similar = new SimilarEvents();
  readonly #events = new RecentEntries<CountedEvent>(MOST_EVENTS);
  readonly #budget = new SpamBudget();
  #refreshedMs: number;
  #sweep: Timer | undefined;
  #silenced = 0;

  constructor(options: EventCorrelatorOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#refreshedMs = options.clock.monotonicMs();
  }

  /** The number of suppressed events. */
  get silenced(): number {
    return this.#silenced;
  }

  observe(occurrence: Occurrence): void {
    const nowMs = this.#clock.monotonicMs();
    const grouped = this.#similar.group(occurrence, nowMs);
    const event = this.#events.get(grouped.key) ?? this.#remember(grouped);
    event.count++;
    event.lastObserved = occurrence.at;
    event.lastObservedMs = nowMs;
    if (grouped.combined) event.occurrence = grouped.occurrence;
    if (this.#isDue(event)) this.#options.send(event);
  }

  /** Sends all counts that were not sent yet, and discards all events. */
  flush(): void {
    this.#sweep?.cancel();
    this.#sweep = undefined;
    for (const [, event] of this.#events) this.#reportCount(event);
    this.#events.clear();
  }

  /** Whether the event must be sent now. New events, and each count with 'each', are only sent if the budget of the object allows this. */
  #isDue(event: CountedEvent): boolean {
    const isSeries = this.#options.counting === 'series' && event.sentCount > 0;
    if (isSeries || event.queued) return event.count >= event.sentCount * 2;
    const allowed = this.#budget.take(budgetKey(event.occurrence), this.#clock.monotonicMs());
    if (!allowed) this.#silenced++;
    return allowed;
  }
  #remember({ key, occurrence }: Grouped): CountedEvent {
    const event: CountedEvent = {
      name: eventName(occurrence.regarding.name, this.#clock.random),
      occurrence,
      firstObserved: occurrence.at,
      lastObserved: occurrence.at,
      lastObservedMs: 0,
      count: 0,
      sentCount: 0,
      queued: false,
      again: false,
    };
    this.#events.set(key, event);
    if (this.#options.counting === 'series') this.#sweep ??= this.#scheduleSweep();
    return event;
  }
  #reportCount(event: CountedEvent): void {
    if (event.sentCount > 0 && event.count > event.sentCount) this.#options.send(event);
  }

  #scheduleSweep(): Timer {
    const sweep = (): void => {
      this.#endSeries();
      this.#refresh();
      this.#sweep = this.#events.size > 0 ? this.#scheduleSweep() : undefined;
    };
    return this.#clock.schedule(SERIES_MS, sweep, { isUpkeep: true });
  }
  #endSeries(): void {
    const beforeMs = this.#clock.monotonicMs() - SERIES_MS;
    for (const [key, event] of this.#events) {
      if (event.lastObservedMs > beforeMs) continue;
      this.#events.delete(key);
      this.#reportCount(event);
    }
  }
  #refresh(): void {
    if (this.#clock.monotonicMs() - this.#refreshedMs < REFRESH_MS) return;
    this.#refreshedMs = this.#clock.monotonicMs();
    for (const [, event] of this.#events) if (event.sentCount > 1) this.#options.send(event);
  }
}
