import type { Clock, Timer } from '@kubewright/api/clock';

/** A timer that can be set repeatedly, and fires once at the earliest of the times. */
export class EarliestTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #timer: Timer | undefined;
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /**
   * Sets the timer to fire after this delay. Does nothing if the timer already fires at that time or earlier. The delay is at least 1 ms,
   * because the clock of a test may not advance by a smaller delay, which can result from rounding.
   */
  set(delayMs: number): void {
    const delay = Math.max(1, delayMs);
    const dueMs = this.#clock.monotonicMs() + delay;
    if (dueMs >= this.#dueMs) return;
    this.cancel();
    this.#dueMs = dueMs;
    this.#timer = this.#clock.schedule(delay, () => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#onDue();
    });
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#dueMs = Number.POSITIVE_INFINITY;
  }
}
