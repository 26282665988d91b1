import type { Clock } from '@kubewright/api/clock';

export interface TokenBucketOptions {
  /** Tokens that come in a second. */
  readonly perSecond: number;
  /** Tokens that are there at most, and at first. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Hands out tokens at a steady rate, after a burst. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  /** Below zero when tokens were promised that have not come yet. */
  #tokens: number;
  #countedAtMs: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#countedAtMs = options.clock.monotonicMs();
  }

  /** Takes a token, and says in how many milliseconds it will be there. */
  reserveMs(): number {
    const { perSecond, burst, clock } = this.#options;
    const now = clock.monotonicMs();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAtMs) * perSecond) / 1000) - 1;
    this.#countedAtMs = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / perSecond;
  }
}
