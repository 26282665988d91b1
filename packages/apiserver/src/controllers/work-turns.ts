/** The time of work in one turn of the event loop. The server answers requests between turns. */
const sliceMs = 4;
/** The time that a loop with work waits before the loop has precedence. */
const longestWaitMs = 250;
/** The maximum time that a loop has precedence. */
const longestPrecedenceMs = 1000;

/** An object with its own queue that takes turns. */
export interface TurnTaker {
  /** Does one piece of work. Returns false if there is none. */
  runNext(): boolean;
  /** Whether there is work. */
  readonly hasWork: boolean;
  /** Whether the next piece of work continues the last piece. */
  readonly isMidway: boolean;
}

/**
 * Schedules the work loops of a server in a slice of each turn of the event loop. A loop runs when the loops before it are idle, so that a
 * loop that counts the results of other loops runs once, and not after each result. If the loops before it are never idle, a loop waits for
 * 250 ms. The loop then has precedence until it has finished one key, for at most 1 s.
 */
export class WorkTurns {
  /** The loops, each with the time since when it has had work without finishing a key. */
  readonly #takers = new Map<TurnTaker, number>();
  readonly #onActivity: () => void;
  readonly #nowMs: () => number;
  /** The loop with precedence. */
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

  /** Gives precedence to the loop that has waited longest, if the loop has waited too long. */
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

  /** Runs one piece of work of a loop. Returns false if there is none. */
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
