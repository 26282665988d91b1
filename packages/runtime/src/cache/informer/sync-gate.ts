/**
 * Lets callers wait until all objects are listed. `pass` resolves the waits. `shut` makes later callers wait again, because more objects
 * must be listed.
 */
export class SyncGate {
  #passed = false;
  #closed: { readonly reason: unknown } | undefined;
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];

  /** Whether all objects are listed, so that `passed` resolves immediately. */
  get isPassed(): boolean {
    return this.#passed;
  }
  /** Resolves when all objects are listed. Rejects if the gate is closed before that. */
  passed(): Promise<void> {
    if (this.#closed !== undefined && !this.#passed) return Promise.reject(this.#closed.reason);
    if (this.#passed) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Makes later callers wait until `pass` is called again. */
  shut(): void {
    this.#passed = false;
  }

  /** Resolves all current waits. Later callers do not wait. */
  pass(): void {
    this.#passed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** Rejects all current waits with this reason. If not all objects are listed, also rejects later waits. */
  close(reason: unknown): void {
    this.#closed = { reason };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(reason);
  }
}
