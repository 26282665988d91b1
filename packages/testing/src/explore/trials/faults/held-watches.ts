import type { Clock } from '@kubewright/api/clock';
import type { PlannedWatchEvent, WatchFault } from '@kubewright/apiserver';
import type { ChangeNames } from './change-names.js';
import type { EventFault, Fault, SlowWatch } from './fault.js';

/**
 * The time in milliseconds for which an event is held. The clock of a trial advances only when the operator has no other work, so that the
 * operator finishes all other work before the event arrives.
 */
const HOLD_MS = 10_000;

/** Holds and drops the events of `EventFault` and `SlowWatch`. */
export class HeldWatches {
  readonly #events: readonly EventFault[];
  readonly #slow: readonly SlowWatch[];
  readonly #changes: ChangeNames;
  readonly #clock: Clock;
  /** The times at which the changes of the faults were first sent, in milliseconds. */
  readonly #sentMs = new Map<EventFault, number>();
  /** The times at which slow watches send their held events, in milliseconds. */
  readonly #dueMs = new Map<string, number>();
  #untilMs = 0;

  constructor(faults: readonly Fault[], changes: ChangeNames, clock: Clock) {
    this.#events = faults.filter((fault) => fault.kind === 'event');
    this.#slow = faults.filter((fault) => fault.kind === 'watch');
    this.#changes = changes;
    this.#clock = clock;
  }

  /** Whether the faults need the names of changes. */
  get needsNames(): boolean {
    return this.#events.length > 0;
  }
  /** Whether a watch still holds events. */
  get isHolding(): boolean {
    return this.#clock.monotonicMs() < this.#untilMs;
  }

  onEvent(event: PlannedWatchEvent, version: string): WatchFault | undefined {
    const nowMs = this.#clock.monotonicMs();
    const name = this.#events.length === 0 ? undefined : this.#changes.at(version);
    const fault = name === undefined ? undefined : this.#events.find(({ change }) => change === name);
    if (fault !== undefined) {
      const sentMs = this.#sentMs.get(fault) ?? nowMs;
      this.#sentMs.set(fault, sentMs);
      // All watches of the resource hold the event. Later lists contain the change.
      if (sentMs === nowMs) return this.#hold(fault.effect);
    }
    if (!this.#slow.some(({ resource }) => resource === event.resource)) return undefined;
    const watch = `${event.resource} ${event.watch}`;
    if (this.#dueMs.get(watch) === nowMs) return undefined;
    this.#dueMs.set(watch, nowMs + HOLD_MS);
    return this.#hold('held');
  }

  #hold(effect: EventFault['effect']): WatchFault {
    this.#untilMs = this.#clock.monotonicMs() + HOLD_MS;
    return effect === 'held' ? { kind: 'delay', ms: HOLD_MS } : { kind: 'expire', afterMs: HOLD_MS };
  }
}
