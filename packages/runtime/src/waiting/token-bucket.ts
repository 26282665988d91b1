import type { Clock } from '@kubewright/api/clock';

export interface TokenBucketOptions {
  /** The tokens added per second. */
  readonly perSecond: number;
  /** The capacity and the initial number of tokens. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * A token bucket: tokens are available at a steady rate, after a burst. If the bucket is empty, callers reserve future tokens in the order
 * of their calls.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Negative if future tokens are reserved. */
  #tokens: number;
  #countedAtMs: number;

  constructor({ perSecond, burst, clock }: TokenBucketOptions) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** The milliseconds until a token is available for a new caller. */
  get waitMs(): number {
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = now;
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }
  /** Reserves a token. Returns the milliseconds until the token is available. */
  reserveMs(): number {
    const { waitMs } = this;
    this.#tokens -= 1;
    return waitMs;
  }
  /** Returns an unused token. */
  giveBack(): void {
    this.#tokens += 1;
  }
}
