import type { Clock } from '@kubewright/api/clock';

/** Limits the time for which a repeated failure is retried. */
export class RetryWindow {
  readonly #clock: Clock;
  readonly #allowedMs: number;
  readonly #quietMs: number;
  #since: number | undefined;
  #last = 0;

  /** The window lasts `allowedMs` from the first failure. A failure after `quietMs` without failures starts a new window. */
  constructor(clock: Clock, allowedMs: number, quietMs = 60_000) {
    this.#clock = clock;
    this.#allowedMs = allowedMs;
    this.#quietMs = quietMs;
  }

  /** Records a failure, and returns whether another attempt is allowed. */
  allows(): boolean {
    if (this.#allowedMs <= 0) return false;
    const now = this.#clock.monotonicMs();
    if (this.#since === undefined || now - this.#last > this.#quietMs) this.#since = now;
    this.#last = now;
    return now - this.#since < this.#allowedMs;
  }
}
