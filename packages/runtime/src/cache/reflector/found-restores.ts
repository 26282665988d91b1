/** The restores of an API server that the reflectors of one cache have detected. */
export class FoundRestores {
  readonly #listeners = new Set<() => void>();
  #count = 0;

  /** The number of restores that reflectors have reported. */
  get count(): number {
    return this.#count;
  }

  /** Reports a restore to all listeners. */
  report(): void {
    this.#count++;
    const listeners = [...this.#listeners];
    for (const listener of listeners) listener();
  }

  /** Calls the listener on each restore. Returns a function that removes the listener. */
  onReport(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
