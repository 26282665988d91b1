import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../../waiting/abortable.js';
import { Failures, isOfAbort } from './failures.js';

/**
 * The state of a manager. A manager goes through these states in this order, and can skip states:
 * - `new`: was not started
 * - `starting`: starts the components group by group
 * - `running`: `start` has resolved
 * - `stopping`: waits for the running components to end, and accepts no further components
 * - `stopped`: final
 */
export type ManagerState = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** The interval of the timer that keeps the process alive: the longest interval that Node.js supports. */
const KEEP_ALIVE_MS = 2 ** 31 - 1;

/** The functions that a lifecycle calls. */
export interface LifecycleSteps {
  /** Starts the components. `signal` is aborted if the manager stops during the start. */
  begin(signal: AbortSignal): Promise<void>;
  /** Stops the components and adds their errors to `failures`. `reason` is the reason with which signals are aborted. */
  end(reason: KubewrightError, failures: Failures): Promise<void>;
  /** Called after each change of state. */
  changed(): void;
}

/** Starts and stops a manager at most once, even if the methods are called several times. Collects the errors. */
export class Lifecycle {
  /** Settles when the manager has stopped. Rejects with the error of the manager, or with an AggregateError if there are several errors. */
  readonly stopped: Promise<void>;
  readonly #steps: LifecycleSteps;
  readonly #stopping = new AbortController();
  readonly #failures = new Failures();
  #state: ManagerState = 'new';
  #ending: Promise<void> | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(steps: LifecycleSteps) {
    this.#steps = steps;
    this.stopped = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Prevents an unhandled rejection. The error is not lost, because `start` rejects with the same error or the error was logged.
    this.stopped.catch(() => undefined);
  }

  get state(): ManagerState {
    return this.#state;
  }
  /** Whether an error has occurred. */
  get failed(): boolean {
    return this.#failures.combined !== undefined;
  }

  /** Throws ALREADY_STARTED if the manager was already started or stopped. */
  assertNew(attempted: string): void {
    if (this.#state === 'new') return;
    throw new KubewrightError(
      'ALREADY_STARTED',
      `cannot ${attempted}: the manager was already started or stopped; a manager runs only once`,
    );
  }
  /** Throws STOPPED if the manager is stopping or has stopped. */
  assertOpen(attempted: string): void {
    if (this.#state !== 'stopping' && this.#state !== 'stopped') return;
    throw new KubewrightError(
      'STOPPED',
      `cannot ${attempted}: the manager is stopping or has stopped; a manager runs only once`,
    );
  }

  /**
   * Starts the manager. Rejects with the error of the start, or with STOPPED if `stop` is called during the start. Rejects only after the
   * manager has stopped.
   */
  async start(): Promise<void> {
    this.assertNew('start');
    this.#enter('starting');
    const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
    const release = (): void => clearInterval(keepAlive);
    this.stopped.then(release, release);
    const { signal } = this.#stopping;
    try {
      await abortable(this.#steps.begin(signal), signal);
      signal.throwIfAborted();
      this.#enter('running');
    } catch (error) {
      if (!isOfAbort(error, signal)) this.#failures.add(error);
      await this.stop();
      throw this.#failures.combined?.error ?? error;
    }
  }
  /** Stops the manager. Resolves when the manager has stopped. Never rejects; `stopped` reports the errors. */
  stop(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  /** Stops the manager because of an error. */
  fail(error: unknown): void {
    this.#failures.add(error);
    void this.stop();
  }

  async #end(): Promise<void> {
    const reason = new KubewrightError('STOPPED', 'the manager is stopping');
    this.#enter('stopping');
    this.#stopping.abort(reason);
    try {
      await this.#steps.end(reason, this.#failures);
    } catch (error) {
      this.#failures.add(error);
    }
    this.#enter('stopped');
    const failure = this.#failures.combined;
    if (failure === undefined) this.#settle?.resolve();
    else this.#settle?.reject(failure.error);
  }
  #enter(state: ManagerState): void {
    this.#state = state;
    this.#steps.changed();
  }
}
