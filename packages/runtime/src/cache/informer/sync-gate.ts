/** Lets callers wait until all objects are listed. `pass` opens the gate, and `shut` blocks it again until more objects are listed. */
export class SyncGate {
  #passed = false;
  #closed: { readonly reason: unknown } | undefined;
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];

  /** Whether `passed` resolves immediately. */
  get isPassed(): boolean {
    return this.#passed;
  }
  /** Resolves when the gate is open. Rejects if the gate is closed before it opens. */
  passed(): Promise<void> {
    if (this.#closed !== undefined && !this.#passed) return Promise.reject(this.#closed.reason);
    if (this.#passed) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Shuts the gate, because more objects must be listed. */
  shut(): void {
    this.#passed = false;
  }

  /** Opens the gate and resolves the pending waits. */
  pass(): void {
    this.#passed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** Closes the gate permanently and rejects the pending waits with this reason. */
  close(reason: unknown): void {
    this.#closed = { reason };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(reason);
  }
}
