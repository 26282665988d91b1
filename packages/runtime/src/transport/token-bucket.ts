import type { Clock } from '@kubewright/api/clock';

export interface TokenBucketOptions {
  /** Tokens that come in a second. */
  readonly perSecond: number;
  /** Tokens that are there at most, and at first. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Hands out tokens at a steady rate, after a burst. Those who come when there is none get one that will come, in their order. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Below zero when tokens were promised that have not come yet. */
  #tokens: number;
  #countedAtMs: number;

  constructor({ perSecond, burst, clock }: TokenBucketOptions) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** In how many milliseconds there would be a token for one who came now. */
  get waitMs(): number {
    const now = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#countedAtMs) * this.#perMs);
    this.#countedAtMs = now;
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }
  /** Takes a token, and says in how many milliseconds it will be there. */
  reserveMs(): number {
    const { waitMs } = this;
    this.#tokens -= 1;
    return waitMs;
  }
  /** Gives a token back that was not used. */
  giveBack(): void {
    this.#tokens += 1;
  }
}
