/** How long one turn of the event loop is used for, so that requests keep being answered. */
const sliceMs = 4;

/** What takes turns: something with a queue of its own. */
export interface TurnTaker {
  /** Does one piece of work; false when there is none. */
  runNext(): boolean;
}

/**
 * Gives the work loops of a server their turns, a slice of each turn of the event loop. A loop has its turn when those
 * before it have nothing to do, so that what counts the results of others does so once, and not after each of them.
 */
export class WorkTurns {
  readonly #takers: TurnTaker[] = [];
  readonly #onActivity: () => void;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;

  /** @param onActivity called after each slice. */
  constructor(onActivity: () => void) {
    this.#onActivity = onActivity;
  }

  /** Adds a loop after those that are there. */
  add(taker: TurnTaker): void {
    this.#takers.push(taker);
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
    const end = performance.now() + sliceMs;
    let more = true;
    while (more && !this.#stopped && performance.now() < end) more = this.#takers.some((taker) => taker.runNext());
    this.#scheduled = undefined;
    if (more) this.request();
    this.#onActivity();
  }
}
