import type { Clock } from '@kubewright/api/clock';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The largest difference between the clocks of this process and of the API server, in milliseconds, that causes no warning. */
const MAX_DIFFERENCE_MS = 300_000;

/**
 * The time of the API server, from the `Date` header of its responses. The API server verifies certificates with its own clock. Therefore,
 * certificates are issued and renewed based on this time, and a replica with a wrong clock does not cause harm.
 */
export class ServerTime {
  readonly #clock: Clock;
  /** The time of the last response: in milliseconds since 1970, and on the monotonic clock. */
  #last: { readonly serverMs: number; readonly atMs: number } | undefined;
  #differenceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the time from the headers of a response. Ignores headers without a valid `Date`. */
  note(headers: Headers): void {
    const { date } = headers;
    const serverMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(serverMs)) return;
    this.#last = { serverMs, atMs: this.#clock.monotonicMs() };
    this.#differenceMs = this.#clock.now().getTime() - serverMs;
  }

  /** Returns the time of the server in milliseconds since 1970. Before the first response, returns the time of this process. */
  nowMs(): number {
    if (this.#last === undefined) return this.#clock.now().getTime();
    return this.#last.serverMs + this.#clock.monotonicMs() - this.#last.atMs;
  }

  /**
   * The number of milliseconds by which the clock of this process was ahead of the server at the last response. Negative if the clock was
   * behind.
   */
  get differenceMs(): number {
    return this.#differenceMs;
  }
  /** Whether the clocks of this process and of the API server differ by at most 5 min. True before the first response. */
  get clocksAgree(): boolean {
    return Math.abs(this.#differenceMs) <= MAX_DIFFERENCE_MS;
  }
}
