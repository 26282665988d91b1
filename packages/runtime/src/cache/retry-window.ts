import type { Clock } from '@kubewright/api/clock';

/** For how long something that fails again and again is worth another try. */
export class RetryWindow {
  readonly #clock: Clock;
  readonly #allowedMs: number;
  readonly #quietMs: number;
  #since: number | undefined;
  #last = 0;

  /** `allowedMs` from the first failure on; a failure after `quietMs` without one is a first one. */
  constructor(clock: Clock, allowedMs: number, quietMs = 60_000) {
    this.#clock = clock;
    this.#allowedMs = allowedMs;
    this.#quietMs = quietMs;
  }

  /** Notes a failure, and says whether another try is allowed. */
  allows(): boolean {
    if (this.#allowedMs <= 0) return false;
    const now = this.#clock.monotonicMs();
    if (this.#since === undefined || now - this.#last > this.#quietMs) this.#since = now;
    this.#last = now;
    return now - this.#since < this.#allowedMs;
  }
}
