import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { TokenBucket } from './token-bucket.js';

/** How many requests a `RequestLimit` lets pass. */
export interface RequestLimitOptions {
  /** So many requests a second, on average. */
  readonly perSecond: number;
  /** So many at once, when it has been quiet. @default twice `perSecond`, at least 1 */
  readonly burst?: number;
  /** @default the time of this machine */
  readonly clock?: Clock;
}

/**
 * A limit for the requests that a client sends: a bucket of `burst` tokens which is filled by `perSecond` of them. Whoever finds it
 * empty waits, in the order of asking. One object may be given to several clients, which then share it. Throws INVALID_OPTION for
 * numbers that cannot limit.
 *
 * @example
 * const requestLimit = new RequestLimit({ perSecond: 20, burst: 30 });
 */
export class RequestLimit {
  /** How many requests a second pass, on average. */
  readonly perSecond: number;
  /** How many requests pass at once after a quiet time. */
  readonly burst: number;
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;

  constructor({
    perSecond,
    burst = Math.max(1, Math.ceil(perSecond * 2)),
    clock = new SystemClock(),
  }: RequestLimitOptions) {
    if (!(perSecond > 0 && Number.isFinite(perSecond))) throw invalid('perSecond', perSecond, 'a number above 0');
    if (!(Number.isInteger(burst) && burst >= 1)) throw invalid('burst', burst, 'a whole number of at least 1');
    this.perSecond = perSecond;
    this.burst = burst;
    this.#bucket = new TokenBucket({ perSecond, burst, clock });
    this.#clock = clock;
  }

  /** How long a request that came now would have to wait, in milliseconds. */
  get waitMs(): number {
    return this.#bucket.waitMs;
  }

  /**
   * Takes a token and resolves when it is there. When the signal is aborted while it waits, gives it back and rejects with the reason.
   */
  async take(signal?: AbortSignal): Promise<void> {
    const waitMs = this.#bucket.reserveMs();
    if (waitMs === 0) return;
    try {
      await this.#clock.sleep(`${Math.ceil(waitMs)}ms`, signal);
    } catch (error) {
      this.#bucket.giveBack();
      throw error;
    }
  }
}

function invalid(field: string, value: unknown, wanted: string): KubewrightError {
  return new KubewrightError(
    'INVALID_OPTION',
    `cannot limit requests: '${field}' is ${String(value)}, and not ${wanted}`,
  );
}
