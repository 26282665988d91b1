import { Clock, type Timer } from '@kubewright/api/clock';

interface Pending {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock for tests. Its time changes only when the test advances it. */
export class ManualClock extends Clock {
  #nowMs = 0;
  readonly #pending = new Set<Pending>();
  #watchers: { readonly delayMs: number; readonly resolve: () => void }[] = [];

  override now(): Date {
    return new Date(Date.UTC(2030, 0, 1) + this.#nowMs);
  }

  override monotonicMs(): number {
    return this.#nowMs;
  }

  override schedule(delayMs: number, callback: () => void): Timer {
    const pending = { dueMs: this.#nowMs + delayMs, callback };
    this.#pending.add(pending);
    const met = this.#watchers.filter((watcher) => watcher.delayMs === delayMs);
    this.#watchers = this.#watchers.filter((watcher) => watcher.delayMs !== delayMs);
    for (const watcher of met) watcher.resolve();
    return { cancel: () => void this.#pending.delete(pending) };
  }

  /** The remaining delays of the pending timers in milliseconds, with the shortest first. */
  get pendingMs(): readonly number[] {
    return [...this.#pending].map((pending) => pending.dueMs - this.#nowMs).toSorted((a, b) => a - b);
  }

  /** Resolves when there is a pending timer with exactly this delay. */
  scheduled(delayMs: number): Promise<void> {
    if (this.pendingMs.includes(delayMs)) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ delayMs, resolve }));
  }

  /** Advances the time without calling due timers, like a blocked event loop. The timers are called at the next `advance`. */
  block(ms: number): void {
    this.#nowMs += ms;
  }

  /** Advances the time, and calls the due timers in the order of their times. */
  advance(ms: number): void {
    const until = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#pending]
        .filter((pending) => pending.dueMs <= until)
        .toSorted((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#pending.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = until;
  }
}
