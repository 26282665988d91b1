import type { FakeClock } from '@kubewright/testing';

/** How far the clock goes at a time, while something needs it to go on. */
const STEP = '50ms';
/** How long something may take, of the clock, to end. */
const LONGEST_END_MS = 5 * 60_000;

/** The time of a schedule: its fake clock, which goes on only when it is moved, or the real one. */
export class PassingTime {
  /** Undefined for the real one. */
  readonly clock: FakeClock | undefined;
  /** Aborted when the schedule is given up: nobody moves the clock then. */
  readonly #over: AbortSignal;
  /** What is being waited for, and since when. */
  readonly #awaited = new Map<Promise<unknown>, { readonly what: string; readonly sinceMs: number }>();

  constructor(clock: FakeClock | undefined, over: AbortSignal) {
    this.clock = clock;
    this.#over = over;
  }

  /** Milliseconds that have passed. */
  nowMs(): number {
    return this.clock?.monotonicMs() ?? performance.now();
  }

  /** What is being waited for at this moment, the longest first, one line each. */
  awaited(): readonly string[] {
    const now = performance.now();
    return [...this.#awaited.values()].map(({ what, sinceMs }) => `${what}, for ${Math.round(now - sinceMs)} ms`);
  }

  /** What the work comes to, which needs no clock. While it lasts, `awaited` tells it. */
  async noted<T>(what: string, work: Promise<T>): Promise<T> {
    this.#awaited.set(work, { what, sinceMs: performance.now() });
    try {
      return await work;
    } finally {
      this.#awaited.delete(work);
    }
  }

  /** A step of the fake clock. Throws when the schedule is given up. */
  async step(): Promise<void> {
    this.#over.throwIfAborted();
    await this.clock?.advance(STEP);
  }

  /** What the work comes to, which may need time to pass; undefined as soon as it is in vain. Throws when the schedule is given up. */
  during<T>(what: string, work: Promise<T>, isInVain: () => boolean = () => false): Promise<T | undefined> {
    return this.#while(what, work, { step: () => this.step(), isInVain });
  }

  /** As `during`, for what ends a schedule, be it given up or not. Throws when that takes too long. */
  finally<T>(what: string, work: Promise<T>): Promise<T | undefined> {
    const endMs = this.nowMs() + LONGEST_END_MS;
    const isInVain = (): boolean => {
      if (this.nowMs() <= endMs) return false;
      throw new Error(`${what} takes longer than ${LONGEST_END_MS / 1000} s`);
    };
    return this.#while(what, work, { step: async () => this.clock?.advance(STEP), isInVain });
  }

  async #while<T>(
    what: string,
    work: Promise<T>,
    { step, isInVain }: { readonly step: () => Promise<void>; readonly isInVain: () => boolean },
  ): Promise<T | undefined> {
    if (this.clock === undefined) return this.noted(what, work);
    const progress = { settled: false };
    const watched = work.finally(() => {
      progress.settled = true;
    });
    watched.catch(() => undefined);
    const passing = async (): Promise<void> => {
      while (!progress.settled && !isInVain()) await step();
    };
    await this.noted(what, passing());
    return progress.settled ? watched : undefined;
  }
}
