import type { FakeClock } from '@kubewright/testing';

/** Duration of one step of the clock. */
const STEP = '50ms';
/** Maximum virtual time in milliseconds for the end of a schedule. */
const LONGEST_END_MS = 5 * 60_000;

/** The clock of a schedule: a fake clock that only the schedule advances, or the real clock. */
export class ScheduleClock {
  /** Undefined for the real clock. */
  readonly clock: FakeClock | undefined;
  /** Aborted when the schedule is aborted. The clock does not advance after that. */
  readonly #over: AbortSignal;
  /** The pending operations, with their start times. */
  readonly #awaited = new Map<Promise<unknown>, { readonly what: string; readonly sinceMs: number }>();

  constructor(clock: FakeClock | undefined, over: AbortSignal) {
    this.clock = clock;
    this.#over = over;
  }

  /** Returns the elapsed time in milliseconds. */
  nowMs(): number {
    return this.clock?.monotonicMs() ?? performance.now();
  }

  /** Returns the pending operations, one line each, in the order in which they started. */
  awaited(): readonly string[] {
    const now = performance.now();
    return [...this.#awaited.values()].map(({ what, sinceMs }) => `${what}, for ${Math.round(now - sinceMs)} ms`);
  }

  /** Returns the result of work that does not need the clock. While the work is pending, `awaited` lists it. */
  async noted<T>(what: string, work: Promise<T>): Promise<T> {
    this.#awaited.set(work, { what, sinceMs: performance.now() });
    try {
      return await work;
    } finally {
      this.#awaited.delete(work);
    }
  }

  /** Advances the fake clock by one step. Throws if the schedule is aborted. */
  async step(): Promise<void> {
    this.#over.throwIfAborted();
    await this.clock?.advance(STEP);
  }

  /**
   * Advances the clock until the work ends, and returns the result of the work. Returns undefined as soon as `isObsolete` returns true.
   * Throws if the schedule is aborted.
   */
  during<T>(what: string, work: Promise<T>, isObsolete: () => boolean = () => false): Promise<T | undefined> {
    return this.#while(what, work, { step: () => this.step(), isObsolete });
  }

  /**
   * Advances the clock until the work ends, even if the schedule is aborted, and returns the result of the work. Throws if the work takes
   * longer than `LONGEST_END_MS`. Used at the end of a schedule.
   */
  finally<T>(what: string, work: Promise<T>): Promise<T | undefined> {
    const endMs = this.nowMs() + LONGEST_END_MS;
    const isObsolete = (): boolean => {
      if (this.nowMs() <= endMs) return false;
      throw new Error(`${what} takes longer than ${LONGEST_END_MS / 1000} s`);
    };
    return this.#while(what, work, { step: async () => this.clock?.advance(STEP), isObsolete });
  }

  async #while<T>(
    what: string,
    work: Promise<T>,
    { step, isObsolete }: { readonly step: () => Promise<void>; readonly isObsolete: () => boolean },
  ): Promise<T | undefined> {
    if (this.clock === undefined) return this.noted(what, work);
    const progress = { settled: false };
    const watched = work.finally(() => {
      progress.settled = true;
    });
    watched.catch(() => undefined);
    const passing = async (): Promise<void> => {
      while (!progress.settled && !isObsolete()) await step();
    };
    await this.noted(what, passing());
    return progress.settled ? watched : undefined;
  }
}
