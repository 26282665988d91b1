import type { Clock } from '@kubewright/api/clock';

export interface BackOffOptions {
  /** The first base delay in milliseconds. @default 800 */
  readonly initialMs?: number;
  /** The maximum base delay in milliseconds. @default 30_000 */
  readonly maxMs?: number;
  /** The factor between consecutive base delays. @default 2 */
  readonly factor?: number;
  /** The time in milliseconds from the end of the last delay until the back-off restarts with the first delay. @default 120_000 */
  readonly resetAfterMs?: number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). @default the random numbers of the clock */
  readonly random?: () => number;
}

/**
 * Calculates the delays between attempts. Each base delay is `factor` times the previous base delay, up to `maxMs`. Each actual delay is a
 * random time between the base delay and twice the base delay.
 */
export class BackOff {
  readonly #clock: Clock;
  readonly #initialMs: number;
  readonly #maxMs: number;
  readonly #factor: number;
  readonly #resetAfterMs: number;
  readonly #random: () => number;
  #nextMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: BackOffOptions = {}) {
    this.#clock = clock;
    this.#initialMs = options.initialMs ?? 800;
    this.#maxMs = options.maxMs ?? 30_000;
    this.#factor = options.factor ?? 2;
    this.#resetAfterMs = options.resetAfterMs ?? 120_000;
    this.#random = options.random ?? clock.random.number;
    this.#nextMs = this.#initialMs;
  }

  /**
   * Returns the next delay in milliseconds: a random time from the base delay to twice the base delay. By default, the base delays are 0.8
   * s, 1.6 s, … up to 30 s.
   */
  nextMs(): number {
    const now = this.#clock.monotonicMs();
    if (now - this.#lastAt > this.#resetAfterMs) this.#nextMs = this.#initialMs;
    const delay = this.#nextMs;
    const actual = delay * (1 + this.#random());
    this.#lastAt = now + actual;
    this.#nextMs = Math.min(delay * this.#factor, this.#maxMs);
    return actual;
  }

  /** Restarts with the first delay. */
  reset(): void {
    this.#nextMs = this.#initialMs;
  }
}
