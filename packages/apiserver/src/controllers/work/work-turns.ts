import { workTimeMs } from '@kubewright/api/clock';

/** The maximum time of work in one turn of the event loop. The server answers requests between turns. */
const sliceMs = 4;
/** The time that a loop with work waits before the loop has precedence. */
const longestWaitMs = 250;
/** The maximum time that a loop has precedence. */
const longestPrecedenceMs = 1000;

/** A work loop that shares the turns of the event loop with other work loops. */
export interface TurnTaker {
  /** Runs one step of work. Returns false if there is no work. */
  runNext(): boolean;
  /** Whether there is work. */
  readonly hasWork: boolean;
  /** Whether the next step continues the work on the key of the last step. */
  readonly isMidway: boolean;
}

/**
 * Runs the work loops of a server in a slice of each turn of the event loop. A loop runs only while the loops that were added before it
 * have no work. Therefore, a loop that summarizes the results of other loops runs once, and not after each result. A loop that has waited
 * for 250 ms has precedence until it has finished one key, for at most 1 s.
 */
export class WorkTurns {
  /**
   * The loops, each with the time at which its current wait began. A wait begins when the loop finishes a key, or when the loop has no
   * work.
   */
  readonly #takers = new Map<TurnTaker, number>();
  readonly #onActivity: () => void;
  readonly #nowMs: () => number;
  /** The loop with precedence. */
  #preceding: { readonly taker: TurnTaker; readonly endMs: number } | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;

  /**
   * @param onActivity called after each slice.
   * @param nowMs returns a time in milliseconds that never decreases. @default workTimeMs
   */
  constructor(onActivity: () => void, nowMs: () => number = workTimeMs) {
    this.#onActivity = onActivity;
    this.#nowMs = nowMs;
  }

  /** Adds a loop after the existing loops. */
  add(taker: TurnTaker): void {
    this.#takers.set(taker, this.#nowMs());
  }

  /** Requests a run in a later turn of the event loop. */
  request(): void {
    if (!this.#stopped) this.#scheduled ??= setImmediate(() => this.#run());
  }

  /** Stops all turns. */
  stop(): void {
    this.#stopped = true;
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
  }

  #run(): void {
    const startMs = this.#nowMs();
    this.#choosePreceding(startMs);
    let more = true;
    while (more && !this.#stopped && this.#nowMs() < startMs + sliceMs) more = this.#runNext();
    this.#scheduled = undefined;
    if (more) this.request();
    this.#onActivity();
  }

  /** Gives precedence to the loop that has waited longest, if this loop has waited for at least `longestWaitMs`. */
  #choosePreceding(nowMs: number): void {
    for (const taker of this.#takers.keys()) if (!taker.hasWork) this.#takers.set(taker, nowMs);
    if (this.#preceding !== undefined && nowMs >= this.#preceding.endMs) this.#finished(this.#preceding.taker);
    if (this.#preceding !== undefined) return;
    let earliestMs = nowMs - longestWaitMs;
    for (const [taker, sinceMs] of this.#takers) {
      if (sinceMs > earliestMs) continue;
      earliestMs = sinceMs;
      this.#preceding = { taker, endMs: nowMs + longestPrecedenceMs };
    }
  }

  #runNext(): boolean {
    if (this.#preceding !== undefined && this.#work(this.#preceding.taker)) return true;
    for (const taker of this.#takers.keys()) if (this.#work(taker)) return true;
    return false;
  }

  /** Runs one step of a loop. Returns false if the loop has no work. */
  #work(taker: TurnTaker): boolean {
    if (!taker.runNext()) return false;
    if (!taker.isMidway) this.#finished(taker);
    return true;
  }

  #finished(taker: TurnTaker): void {
    this.#takers.set(taker, this.#nowMs());
    if (taker === this.#preceding?.taker) this.#preceding = undefined;
  }
}
