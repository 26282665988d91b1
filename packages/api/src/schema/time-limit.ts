/** The maximum work that can be announced at once, in units of about 30 ns. The work takes up to 10 ms. */
export const MOST_WORK = 300_000;
/** The work in units of about 30 ns, or the CEL cost, after which the clock is checked. */
export const CHECK_INTERVAL = 1000;
/** The maximum duration of brief work in milliseconds. */
const MOST_MS = 30;

/** Thrown when brief work takes too long. The work can be repeated without this limit in a thread that can be blocked. */
export class TakesLong extends Error {
  constructor() {
    super('the work takes too long');
  }
}

/** Options of checks that can take long. */
export interface BriefOptions {
  /** Whether a check throws TakesLong after 30 ms. @default false */
  readonly isBrief?: boolean | undefined;
}

/** Stops work that takes more than 30 ms. A unit of work takes about 30 ns. */
export class TimeLimit {
  readonly #nowMs: () => number;
  #unchecked = 0;
  #endMs: number | undefined;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Announces work that follows.
   * @throws TakesLong if the work is expected to take more than 10 ms, or if more than 30 ms have passed since the first check of the clock
   */
  announce(work: number): void {
    if (work > MOST_WORK) throw new TakesLong();
    this.#unchecked += work;
    if (this.#unchecked >= CHECK_INTERVAL) this.check();
  }

  /** Checks the clock. Throws TakesLong if more than 30 ms have passed since the first check. */
  check(): void {
    this.#unchecked = 0;
    const nowMs = this.#nowMs();
    this.#endMs ??= nowMs + MOST_MS;
    if (nowMs > this.#endMs) throw new TakesLong();
  }
}
