/** The restores of the API server that the reflectors of a cache have detected. A restore returns the server to the state of a backup. */
export class DetectedRestores {
  readonly #listeners = new Set<() => void>();
  #count = 0;

  /** The number of detected restores. */
  get count(): number {
    return this.#count;
  }

  /** Reports a restore to all listeners. */
  report(): void {
    this.#count++;
    const listeners = [...this.#listeners];
    for (const listener of listeners) listener();
  }

  /** Adds a listener that is called at each restore. Returns a function that removes the listener. */
  onReport(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
