import type { Clock } from '@kubewright/api/clock';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { UnreachedVersionError } from '../../registry/status-errors.js';
import type { Store } from '../../storage/store.js';

/** How long a request waits for a version that is still to come. */
const patienceMs = 3000;

/** The requests of a server that wait for versions which its store has not reached yet. */
export class VersionWaits {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #onWait: () => void;
  readonly #waits = new Set<() => void>();
  #retrying = 0;

  /** @param onWait called when a request begins to wait */
  constructor(store: Store, clock: Clock, onWait: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /** How many requests wait in `retry`. */
  get retrying(): number {
    return this.#retrying;
  }

  /** Calls back once, when the version is reached or the patience is over. Returns what ends the wait before that. */
  wait(version: string, then: () => void): () => void {
    const timer = this.#clock.schedule(patienceMs, () => over());
    const unlisten = this.#store.onCommit(() => {
      if (compareResourceVersions(version, this.#store.resourceVersion) <= 0) over();
    });
    const end = (): void => {
      timer.cancel();
      unlisten();
      this.#waits.delete(end);
    };
    const over = (): void => {
      end();
      then();
    };
    this.#waits.add(end);
    this.#onWait();
    return end;
  }

  /** The outcome of `act`, which is tried again after a wait when it asks for a version that is still to come. */
  async retry<T>(act: () => T | Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnreachedVersionError)) throw error;
      this.#retrying += 1;
      await new Promise<void>((resolve) => this.wait(error.version, resolve));
      this.#retrying -= 1;
      return act();
    }
  }

  /** Ends all waits without a word: the server goes. */
  stop(): void {
    for (const end of this.#waits) end();
  }
}
