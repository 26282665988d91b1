/** Counts the activities of managers, caches and servers, so that a caller can wait until there is no further activity. */
export class Activity {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** The number of recorded activities. */
  get count(): number {
    return this.#count;
  }
  /** Records an activity. */
  readonly note = (): void => {
    this.#count++;
    this.wake();
  };
  /** Resolves when `count` differs from `seen`, or when `wake` is called. */
  since(seen: number): Promise<void> {
    if (this.#count !== seen) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }
  /** Wakes all waiting callers without recording an activity. */
  readonly wake = (): void => {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  };
}
