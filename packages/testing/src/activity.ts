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
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  };
  /** Resolves when something has happened after the count was `seen`, or when the signal is aborted. */
  since(seen: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
