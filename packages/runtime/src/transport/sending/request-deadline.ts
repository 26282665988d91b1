import type { Clock, Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { AbortSource } from '../../waiting/abort-source.js';
import { LONGEST_REQUESTED_MS } from './retry.js';

export interface RequestDeadlineOptions {
  /** The timeout of the request in milliseconds. @default none */
  readonly timeoutMs: number | undefined;
  readonly clock: Clock;
  readonly attempted: string;
  /** The signal of the caller. */
  readonly signal: AbortSource | undefined;
}

/** The deadline of a request. The caller must call `close` when the request has ended. */
export class RequestDeadline {
  /**
   * Aborted when the signal of the caller is aborted or the deadline expires. Undefined if the request has neither a signal nor a timeout.
   */
  readonly signal: AbortSource | undefined;
  readonly #options: RequestDeadlineOptions;
  readonly #atMs: number;
  readonly #timer: Timer | undefined;
  readonly #abort: (() => void) | undefined;

  constructor(options: RequestDeadlineOptions) {
    this.#options = options;
    const { timeoutMs, clock, signal } = options;
    this.#atMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() + timeoutMs;
    if (timeoutMs === undefined) {
      this.signal = signal;
      return;
    }
    const over = new AbortController();
    this.#timer = clock.schedule(timeoutMs, () => over.abort(this.#error('no response received')));
    this.signal = over.signal;
    if (signal === undefined) return;
    this.#abort = () => over.abort(signal.reason);
    if (signal.aborted) this.#abort();
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Whether a wait would end before the deadline. */
  allows(waitMs: number): boolean {
    return this.#options.clock.monotonicMs() + waitMs <= this.#atMs;
  }

  /** Whether a delay that the server requested is allowed. If the request has no timeout, allows up to `LONGEST_REQUESTED_MS`. */
  allowsRequested(waitMs: number): boolean {
    return this.#options.timeoutMs === undefined ? waitMs <= LONGEST_REQUESTED_MS : this.allows(waitMs);
  }

  /** Throws REQUEST_TIMEOUT if a wait would end after the deadline. */
  checkWait(waitMs: number, why: string): void {
    if (!this.allows(waitMs)) throw this.#error(`${why} would take ${(waitMs / 1000).toFixed(1)} s`);
  }

  close(): void {
    this.#timer?.cancel();
    if (this.#abort !== undefined) this.#options.signal?.removeEventListener('abort', this.#abort);
  }

  #error(what: string): KubewrightError {
    const { timeoutMs = 0, attempted } = this.#options;
    const message = `${attempted}: ${what}, and the timeout of the request is ${timeoutMs / 1000} s: set a longer timeout, or check what delays the request`;
    return new KubewrightError('REQUEST_TIMEOUT', message);
  }
}
