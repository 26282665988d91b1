import { workTimeMs } from '@kubewright/api/clock';

/** The maximum time, in milliseconds, that the watches of a server work in one turn of the event loop. */
const mostMs = 10;

/**
 * Divides the work of all watches of a server into turns of the event loop, so that the server answers other requests in between. Work runs
 * immediately if the current turn has time left. Otherwise, the work waits for a later turn.
 */
export class WatchTurns {
  /** Work that waits for a turn, in the order of the calls of `request`. */
  readonly #waiting = new Set<() => void>();
  #spentMs = 0;
  #beganMs: number | undefined;
  #isScheduled = false;

  /** Whether the work of this turn must stop. Unfinished work must then request another turn. */
  get isOver(): boolean {
    const running = this.#beganMs === undefined ? 0 : workTimeMs() - this.#beganMs;
    return this.#spentMs + running >= mostMs;
  }

  /** Runs the work in this turn or in a later turn. If the work is requested several times before it starts, it runs once. */
  request(work: () => void): void {
    this.#schedule();
    if (this.#beganMs !== undefined || this.#waiting.size > 0 || this.isOver) this.#waiting.add(work);
    else this.#run(work);
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#spentMs = 0;
    for (const work of this.#waiting) {
      if (this.isOver) break;
      this.#waiting.delete(work);
      this.#run(work);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #run(work: () => void): void {
    this.#beganMs = workTimeMs();
    try {
      work();
    } finally {
      this.#spentMs += workTimeMs() - this.#beganMs;
      this.#beganMs = undefined;
    }
  }
}
