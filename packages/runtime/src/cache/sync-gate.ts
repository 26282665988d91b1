/** Who waits for all to be listed. It can be shut again, for what comes later. */
export class SyncGate {
  #passed = false;
  #closed: { readonly reason: unknown } | undefined;
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];

  /** Whether `passed` resolves at once. */
  get isPassed(): boolean {
    return this.#passed;
  }
  /** Resolves when it is passed, at once if it was; rejects when it is closed before. */
  passed(): Promise<void> {
    if (this.#closed !== undefined && !this.#passed) return Promise.reject(this.#closed.reason);
    if (this.#passed) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** There is more to wait for. */
  shut(): void {
    this.#passed = false;
  }

  /** All is there. */
  pass(): void {
    this.#passed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve();
  }

  /** It will not come. */
  close(reason: unknown): void {
    this.#closed = { reason };
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(reason);
  }
}
