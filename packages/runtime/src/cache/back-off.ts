import type { Clock } from '@kubewright/api/clock';

export interface BackOffOptions {
  /** @default 800 */
  readonly initialMs?: number;
  /** @default 30_000 */
  readonly maxMs?: number;
  /** @default 2 */
  readonly factor?: number;
  /** So long without a delay, the next one is the first again. @default 120_000 */
  readonly resetAfterMs?: number;
  /** From 0 up to, not including, 1. @default Math.random */
  readonly random?: () => number;
}

/** The delays between attempts: each twice as long as the one before, up to a limit, and up to twice as long again by chance. */
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

  /** The delay to wait now, in milliseconds: from d up to 2d, where d is 0.8, 1.6, … 30 seconds unless said otherwise. */
  nextMs(): number {
    const now = this.#clock.monotonicMs();
    if (now - this.#lastAt > this.#resetAfterMs) this.#nextMs = this.#initialMs;
    const delay = this.#nextMs;
    const actual = delay * (1 + this.#random());
    this.#lastAt = now + actual;
    this.#nextMs = Math.min(delay * this.#factor, this.#maxMs);
    return actual;
  }

  /** Starts again with the first delay. */
  reset(): void {
    this.#nextMs = this.#initialMs;
  }
}
