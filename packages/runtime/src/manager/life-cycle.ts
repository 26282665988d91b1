import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../transport/abortable.js';
import { Failures, isOfAbort } from './failures.js';

/**
 * Where a manager is in its life. It goes through the states in this order and may leave out some:
 * - `new`: takes parts
 * - `starting`: runs them group by group
 * - `running`: `start` has resolved
 * - `stopping`: takes no more parts, and waits for those that run to end
 * - `stopped`: for good
 */
export type ManagerState = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** Longest interval of Node, for the one that keeps the process alive. */
const KEEP_ALIVE_MS = 2 ** 31 - 1;

/** What is done at the turning points. */
export interface LifeCycleSteps {
  /** The signal is aborted when the manager stops meanwhile. */
  begin(signal: AbortSignal): Promise<void>;
  /** Ends everything; what fails goes to `failures`. `reason` is that of the signals to abort. */
  end(reason: KubewrightError, failures: Failures): Promise<void>;
  /** Called after each change of state. */
  changed(): void;
}

/** One start, one stop, however many ask for them, and all that went wrong between. */
export class LifeCycle {
  /** Resolves when all has ended; rejects with what went wrong in running or stopping, as an AggregateError where it is more than one thing. */
  readonly stopped: Promise<void>;
  readonly #steps: LifeCycleSteps;
  readonly #stopping = new AbortController();
  readonly #failures = new Failures();
  #state: ManagerState = 'new';
  #ending: Promise<void> | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(steps: LifeCycleSteps) {
    this.#steps = steps;
    this.stopped = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // The failure is also that of `start`, or was logged: who does not wait for the end need not handle it.
    this.stopped.catch(() => undefined);
  }

  get state(): ManagerState {
    return this.#state;
  }
  /** Whether something went wrong so far. */
  get failed(): boolean {
    return this.#failures.combined !== undefined;
  }

  /** Throws ALREADY_STARTED unless the manager is new. */
  assertNew(attempted: string): void {
    if (this.#state === 'new') return;
    throw new KubewrightError(
      'ALREADY_STARTED',
      `cannot ${attempted}: the manager was started already; a manager runs once`,
    );
  }
  /** Throws STOPPED once the manager stops. */
  assertOpen(attempted: string): void {
    if (this.#state !== 'stopping' && this.#state !== 'stopped') return;
    throw new KubewrightError('STOPPED', `cannot ${attempted}: the manager stops, or has stopped; a manager runs once`);
  }

  /** Rejects with what went wrong, or with STOPPED when `stop` was called meanwhile; all has ended then. */
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
  /** Resolves when all has ended, whatever went wrong: `stopped` tells that. */
  stop(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }
  /** Stops because of an error. */
  fail(error: unknown): void {
    this.#failures.add(error);
    void this.stop();
  }

  async #end(): Promise<void> {
    const reason = new KubewrightError('STOPPED', 'the manager stops');
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
