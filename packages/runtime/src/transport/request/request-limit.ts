import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { TokenBucket } from '../../waiting/token-bucket.js';

/** The rate and the burst of a `RequestLimit`. */
export interface RequestLimitOptions {
  /** The average number of requests per second. */
  readonly perSecond: number;
  /** The most requests at once after an idle period. @default twice `perSecond`, at least 1 */
  readonly burst?: number;
  /** @default the system clock */
  readonly clock?: Clock;
}

/**
 * Limits the requests of a client with a token bucket: the bucket holds up to `burst` tokens and gains `perSecond` tokens each second. If
 * the bucket is empty, callers wait in the order of their calls. Several clients can share one `RequestLimit`. Throws INVALID_OPTION if a
 * number is not valid.
 *
 * @example
 * const requestLimit = new RequestLimit({ perSecond: 20, burst: 30 });
 */
export class RequestLimit {
  /** The average number of requests per second. */
  readonly perSecond: number;
  /** The most requests at once after an idle period. */
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

  /** The time in milliseconds that a new request would wait. */
  get waitMs(): number {
    return this.#bucket.waitMs;
  }

  /**
   * Takes a token and resolves when the token is available. If the signal is aborted during the wait, returns the token and rejects with
   * the reason.
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

function invalid(field: string, value: unknown, desired: string): KubewrightError {
  return new KubewrightError(
    'INVALID_OPTION',
    `cannot limit requests: '${field}' is ${String(value)}, but must be ${desired}`,
  );
}
