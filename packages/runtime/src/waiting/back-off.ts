import type { Clock } from '@kubewright/api/clock';

export interface BackOffOptions {
  /** @default 800 */
  readonly initialMs?: number;
  /** @default 30_000 */
  readonly maxMs?: number;
  /** @default 2 */
  readonly factor?: number;
  /** The back-off starts again with the first delay if this much time has passed since the end of the last delay. @default 120_000 */
  readonly resetAfterMs?: number;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). @default Math.random */
  readonly random?: () => number;
}

/**
 * The delays between attempts. Each base delay is `factor` times the previous base delay, up to `maxMs`. The actual delay is randomly
 * between the base delay and twice the base delay.
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
    this.#random = options.random ?? Math.random;
    this.#nextMs = this.#initialMs;
  }

  /** Returns the next delay in milliseconds, from d to 2d. By default d is 0.8 s, 1.6 s, … and at most 30 s. */
  nextMs(): number {
    const now = this.#clock.monotonicMs();
    if (now - this.#lastAt > this.#resetAfterMs) this.#nextMs = this.#initialMs;
    const delay = this.#nextMs;
    const actual = delay * (1 + this.#random());
    this.#lastAt = now + actual;
    this.#nextMs = Math.min(delay * this.#factor, this.#maxMs);
    return actual;
  }

  /** Resets the back-off to the first delay. */
  reset(): void {
    this.#nextMs = this.#initialMs;
  }
}
