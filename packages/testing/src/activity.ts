/** Counts what happens, for code that waits until nothing does. */
export class Activity {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** How much has happened so far. */
  get count(): number {
    return this.#count;
  }
  /** Something happened. */
  readonly note = (): void => {
    this.#count++;
    this.wake();
  };
  /** Resolves when something has happened after the count was `seen`, or at `wake`. */
  since(seen: number): Promise<void> {
    if (this.#count !== seen) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }
  /** Wakes who waits, although nothing has happened. */
  readonly wake = (): void => {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  };
}
