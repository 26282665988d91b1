import type { Clock } from '@kubewright/api/clock';

/** A body that is being read. */
interface Read {
  readonly dueMs: number;
  readonly onLate: () => void;
}

/**
 * Limits the time to read bodies. All reads share one timer, because almost every body is complete long before its deadline, and a timer
 * for each request costs more than the checks of the shared timer.
 */
export class BodyDeadlines {
  /** The maximum time to read a body, in milliseconds. */
  static readonly MS = 30_000;
  readonly #clock: Clock;
  /** The current reads, with the earliest deadline first. */
  readonly #reads = new Set<Read>();
  #isArmed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `onLate` at the deadline. Returns a function that ends the read, so that `onLate` is not called. */
  begin(onLate: () => void): () => void {
    const read = { dueMs: this.#clock.monotonicMs() + BodyDeadlines.MS, onLate };
    this.#reads.add(read);
    if (!this.#isArmed) this.#arm(BodyDeadlines.MS);
    return () => void this.#reads.delete(read);
  }

  #arm(delayMs: number): void {
    this.#isArmed = true;
    this.#clock.schedule(delayMs, () => this.#check());
  }
  /** Ends the late reads. Schedules the next check for the first remaining deadline. */
  #check(): void {
    this.#isArmed = false;
    const now = this.#clock.monotonicMs();
    for (const read of this.#reads) {
      if (read.dueMs > now) return this.#arm(read.dueMs - now);
      this.#reads.delete(read);
      read.onLate();
    }
  }
}
