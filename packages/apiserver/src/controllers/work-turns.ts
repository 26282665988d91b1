/** How long one turn of the event loop is used for, so that requests keep being answered. */
const sliceMs = 4;
/** How long a loop with work waits until it goes before the others. */
const longestWaitMs = 250;
/** How long a loop that has waited goes before the others at most. */
const longestPrecedenceMs = 1000;

/** What takes turns: something with a queue of its own. */
export interface TurnTaker {
  /** Does one piece of work; false when there is none. */
  runNext(): boolean;
  /** Whether there is work. */
  readonly hasWork: boolean;
  /** Whether the last piece of work has begun something that the next piece continues. */
  readonly isMidway: boolean;
}

/**
 * Gives the work loops of a server their turns, a slice of each turn of the event loop. A loop has its turn when those
 * before it have nothing to do, so that what counts the results of others does so once, and not after each of them. If the loops before it always
 * have something to do, a loop waits for 250 ms. It then goes before the others until it has finished one key, for 1 s at most.
 */
export class WorkTurns {
  /** The loops, and since when each of them has had work without finishing a key. */
  readonly #takers = new Map<TurnTaker, number>();
  readonly #onActivity: () => void;
  readonly #nowMs: () => number;
  /** The loop that goes before the others. */
  #preceding: { readonly taker: TurnTaker; readonly endMs: number } | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;

  /**
   * @param onActivity called after each slice.
   * @param nowMs returns a time in milliseconds that never decreases. @default performance.now
   */
  constructor(onActivity: () => void, nowMs: () => number = () => performance.now()) {
    this.#onActivity = onActivity;
    this.#nowMs = nowMs;
  }

  /** Adds a loop after those that are there. */
  add(taker: TurnTaker): void {
    this.#takers.set(taker, this.#nowMs());
  }

  /** Says that there is work; it begins in a later turn of the event loop. */
  request(): void {
    if (!this.#stopped) this.#scheduled ??= setImmediate(() => this.#run());
  }

  /** Ends all turns. */
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

  /** Finds the loop that has waited for the longest time, if that is too long. */
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

  /** Lets a loop do one piece of work. Returns false if it has none. */
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
