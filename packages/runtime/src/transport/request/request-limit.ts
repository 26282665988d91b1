import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { TokenBucket } from '../../waiting/token-bucket.js';

/** The options of a `RequestLimit`. */
export interface RequestLimitOptions {
  /** The average number of requests per second. */
  readonly perSecond: number;
  /** The maximum number of requests that can start at once after an idle period. @default twice `perSecond`, at least 1 */
  readonly burst?: number;
  /** The clock of the limit. @default the system clock */
  readonly clock?: Clock;
}

/**
 * Limits the request rate of a client with a token bucket. The bucket contains up to `burst` tokens, and `perSecond` tokens are added each
 * second. Each request takes a token. If the bucket is empty, requests wait in the order of their calls. Several clients can share one
 * `RequestLimit`. Throws INVALID_OPTION if a number is invalid.
 *
 * @example
 * const requestLimit = new RequestLimit({ perSecond: 20, burst: 30 });
 */
export class RequestLimit {
  /** The average number of requests per second. */
  readonly perSecond: number;
  /** The maximum number of requests that can start at once after an idle period. */
  readonly burst: number;
  readonly #bucket: TokenBucket;
  readonly #clock: Clock;

  constructor({
    perSecond,
    burst = Math.max(1, Math.ceil(perSecond * 2)),
    clock = new SystemClock(),
  }: RequestLimitOptions) {
    if (!(perSecond > 0 && Number.isFinite(perSecond)))
      throw invalid('perSecond', perSecond, 'a number greater than 0');
    if (!(Number.isInteger(burst) && burst >= 1)) throw invalid('burst', burst, 'a positive integer');
    this.perSecond = perSecond;
    this.burst = burst;
    this.#bucket = new TokenBucket({ perSecond, burst, clock });
    this.#clock = clock;
  }

  /** The time in milliseconds that a new request would have to wait. */
  get waitMs(): number {
    return this.#bucket.waitMs;
  }

  /**
   * Takes a token. Resolves when the token is available. If the signal is aborted during the wait, returns the token and rejects with the
   * reason of the signal.
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

function invalid(field: string, value: unknown, expected: string): KubewrightError {
  return new KubewrightError(
    'INVALID_OPTION',
    `cannot limit requests: '${field}' is ${valueText(value)}, but must be ${expected}`,
  );
}
