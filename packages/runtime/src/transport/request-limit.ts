import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

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
  readonly #perMs: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Negative while some wait. */
  #tokens: number;
  #atMs: number;

  constructor({
    perSecond,
    burst = Math.max(1, Math.ceil(perSecond * 2)),
    clock = new SystemClock(),
  }: RequestLimitOptions) {
    if (!(perSecond > 0 && Number.isFinite(perSecond))) throw invalid('perSecond', perSecond, 'a number above 0');
    if (!(Number.isInteger(burst) && burst >= 1)) throw invalid('burst', burst, 'a whole number of at least 1');
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#atMs = clock.monotonicMs();
  }

  /** How long a request that came now would have to wait, in milliseconds. */
  get waitMs(): number {
    this.#fill();
    return this.#tokens >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }

  /**
   * Takes a token and resolves when it is there. When the signal is aborted while it waits, gives it back and rejects with the reason.
   */
  async take(signal?: AbortSignal): Promise<void> {
    const { waitMs } = this;
    this.#tokens -= 1;
    if (waitMs === 0) return;
    try {
      await this.#clock.sleep(`${Math.ceil(waitMs)}ms`, signal);
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}

function invalid(field: string, value: unknown, wanted: string): KubewrightError {
  return new KubewrightError(
    'INVALID_OPTION',
    `cannot limit requests: '${field}' is ${String(value)}, and not ${wanted}`,
  );
}
