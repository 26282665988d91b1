/** The most work of a single piece. It takes up to 10 ms. */
export const MOST_WORK = 300_000;
/** The work between two looks at the clock. It takes up to 0.1 ms. */
export const CHECK_INTERVAL = 1000;
/** The time after which brief work ends. */
const MOST_MS = 30;

/** Thrown when brief work takes too long. The work can be repeated without this limit, in a thread that may be blocked. */
export class TakesLong extends Error {
  constructor() {
    super('the work takes too long');
  }
}

/** How checks treat work that takes long. */
export interface BriefOptions {
  /** Whether a check throws TakesLong after 30 ms. @default false */
  readonly isBrief?: boolean | undefined;
}

/** Ends work that takes more than 30 ms. A unit of work takes about 30 ns. */
export class TimeLimit {
  readonly #nowMs: () => number;
  #unchecked = 0;
  #endMs: number | undefined;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Announces a piece of work.
   * @throws TakesLong if the piece takes more than 10 ms, or if more than 30 ms have passed since the first look at the clock
   */
  announce(work: number): void {
    if (work > MOST_WORK) throw new TakesLong();
    this.#unchecked += work;
    if (this.#unchecked >= CHECK_INTERVAL) this.check();
  }

  /** Looks at the clock. Throws TakesLong if more than 30 ms have passed since the first look. */
  check(): void {
    this.#unchecked = 0;
    const nowMs = this.#nowMs();
    this.#endMs ??= nowMs + MOST_MS;
    if (nowMs > this.#endMs) throw new TakesLong();
  }
}
