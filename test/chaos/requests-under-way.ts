import type { ObservedRequest, RequestProgress, TransportObserver } from '@kubewright/runtime';

/** What is not answered within so many milliseconds of real time, while the clock stands still, is held back by something that waits for the clock. */
const HELD_MS = 50;

/** The requests of operators on a fake clock, which is not to be moved on while the answer to one of them is merely on its way. */
export class RequestsUnderWay implements TransportObserver {
  readonly #awaited = new Set<ObservedRequest>();
  readonly #listeners = new Set<() => void>();

  request(request: ObservedRequest): RequestProgress {
    this.#awaited.add(request);
    const over = (): void => {
      this.#awaited.delete(request);
      for (const changed of this.#listeners) changed();
    };
    // One that is sent again waits for the clock before.
    return { answered: over, retried: over, ended: over };
  }

  /** What is asked, one line each; what is held back no longer counts. */
  underWay(): readonly string[] {
    return [...this.#awaited].map(({ attempted }) => attempted);
  }

  /** Resolves when every request is answered, or is held back. */
  async settled(): Promise<void> {
    while (this.#awaited.size > 0) {
      const held = [...this.#awaited];
      const isProgress = await this.#progressWithin(HELD_MS);
      if (!isProgress) for (const request of held) this.#awaited.delete(request);
      // What the answer leads to begins.
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
