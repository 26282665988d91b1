import type { Clock } from '@kubewright/api/clock';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { UnreachedVersionError } from '../../registry/requests/status-errors.js';
import { unlessAborted } from '../unless-aborted.js';
import type { Store } from '../../storage/store.js';

/** The maximum time that a request waits for a version that the store has not reached. */
const timeLimitMs = 3000;

/** The options of `retry`. */
export interface RetryOptions {
  /**
   * Returns the signal that ends the wait. The promise is then rejected with the reason of the signal.
   * @default the wait does not end early
   */
  readonly signal?: () => AbortSignal;
  /** Called at the start of the wait. Returns a function that is called at the end of the wait. @default not called */
  readonly waiting?: () => () => void;
}

/** The requests of a server that wait for versions that the store has not reached. */
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

  /** The number of requests that wait in `retry`. */
  get retrying(): number {
    return this.#retrying;
  }

  /** Calls `then` once, when the store reaches the version or after 3 s. Returns a function that cancels the wait. */
  wait(version: string, then: () => void): () => void {
    const timer = this.#clock.schedule(timeLimitMs, () => over());
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

  /**
   * Returns the result of `act`. If `act` requires a version that the store has not reached, waits for this version for up to 3 s, and
   * calls `act` again.
   */
  async retry<T>(act: () => T | Promise<T>, { signal, waiting }: RetryOptions = {}): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnreachedVersionError)) throw error;
      this.#retrying += 1;
      const end = waiting?.();
      try {
        await this.#reached(error.version, signal?.());
      } finally {
        this.#retrying -= 1;
        end?.();
      }
      return act();
    }
  }

  async #reached(version: string, signal: AbortSignal | undefined): Promise<void> {
    let cancel: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => {
      cancel = this.wait(version, resolve);
    });
    await (signal === undefined ? reached : unlessAborted(reached, signal).finally(cancel));
  }

  /** Cancels all waits when the server stops. */
  stop(): void {
    for (const end of this.#waits) end();
  }
}
