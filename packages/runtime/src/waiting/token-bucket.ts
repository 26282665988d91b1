import type { Clock } from '@kubewright/api/clock';

export interface TokenBucketOptions {
  /** The number of tokens that are added per second. */
  readonly perSecond: number;
  /** The maximum number of tokens, and the number at the start. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * A token bucket that limits operations to `perSecond`, after an initial burst. If the bucket is empty, callers reserve the next tokens in
 * the order of their calls.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** The number of tokens. Negative if callers have reserved tokens that have not been added yet. */
  #tokens: number;
  #countedAtMs: number;

  constructor({ perSecond, burst, clock }: TokenBucketOptions) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** The time in milliseconds until a token is available for another caller. */
  get waitMs(): number {
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = now;
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }
  /** Reserves a token. Returns the time in milliseconds until the token is available. */
  reserveMs(): number {
    const { waitMs } = this;
    this.#tokens -= 1;
    return waitMs;
  }
  /** Returns a reserved token to the bucket if the caller did not use the token. */
  giveBack(): void {
    this.#tokens += 1;
  }
}
