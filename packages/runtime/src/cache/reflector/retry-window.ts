import type { Clock } from '@kubewright/api/clock';

/** Limits the time during which a repeated failure is retried. */
export class RetryWindow {
  readonly #clock: Clock;
  readonly #allowedMs: number;
  readonly #quietMs: number;
  #since: number | undefined;
  #last = 0;

  /**
   * Retries are allowed for `allowedMs` milliseconds from the first failure. If there was no failure for `quietMs` milliseconds, the next
   * failure counts as the first.
   */
  constructor(clock: Clock, allowedMs: number, quietMs = 60_000) {
    this.#clock = clock;
    this.#allowedMs = allowedMs;
    this.#quietMs = quietMs;
  }

  /** Records a failure. Returns whether a retry is allowed. */
  allows(): boolean {
    if (this.#allowedMs <= 0) return false;
    const now = this.#clock.monotonicMs();
    if (this.#since === undefined || now - this.#last > this.#quietMs) this.#since = now;
    this.#last = now;
    return now - this.#since < this.#allowedMs;
  }
}
