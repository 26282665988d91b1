import type { ObservedRequest, RequestProgress, TransportObserver } from '@kubewright/runtime';

/**
 * Real time in milliseconds after which an unanswered request counts as held back. A component then delays the request until the fake
 * clock advances.
 */
const HELD_MS = 50;

/** Tracks the requests of operators on a fake clock. The clock must not advance while an answer to one of the requests is in transit. */
export class PendingRequests implements TransportObserver {
  readonly #awaited = new Set<ObservedRequest>();
  readonly #listeners = new Set<() => void>();

  request(request: ObservedRequest): RequestProgress {
    this.#awaited.add(request);
    const over = (): void => {
      this.#awaited.delete(request);
      for (const changed of this.#listeners) changed();
    };
    // A retry waits for the clock before it sends the request again.
    return { answered: over, retried: over, ended: over };
  }

  /** Returns the requests that are in progress, one line each, without requests that are held back. */
  pending(): readonly string[] {
    return [...this.#awaited].map(({ attempted }) => attempted);
  }

  /** Resolves when every request is answered or held back. */
  async settled(): Promise<void> {
    while (this.#awaited.size > 0) {
      const held = [...this.#awaited];
      const isProgress = await this.#progressWithin(HELD_MS);
      if (!isProgress) for (const request of held) this.#awaited.delete(request);
      // Yields, so that the work that follows an answer can send its requests.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #progressWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isProgress: boolean): void => {
        clearTimeout(timer);
        this.#listeners.delete(changed);
        resolve(isProgress);
      };
      const changed = (): void => end(true);
      const timer = setTimeout(() => end(false), ms);
      this.#listeners.add(changed);
    });
  }
}
