import { type Clock, type Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { RunSignal } from './run-signal.js';

/** The time in milliseconds after which an aborted run that has not ended is overdue. */
const ABORT_GRACE_MS = 5000;

/** The time limit and the abort signal of one run. */
export class RunLimit {
  /** Called if the run has not ended 5 s after its signal was aborted. Can be called again, for example when the operator stops. */
  onOverdue: (() => void) | undefined;
  #current = new RunSignal();
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;
  #timer: Timer | undefined;
  #expired = false;
  #stopped = false;

  constructor(clock: Clock, timeoutMs: number | undefined) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#current.signal;
  }
  /** The signal of the run, or of `onError` after `restart`. Creates an `AbortSignal` only when its property `signal` is first read. */
  get current(): RunSignal {
    return this.#current;
  }
  /** Whether the time limit expired during the run or during the call of `onError`. */
  get expired(): boolean {
    return this.#expired;
  }
  /**
   * Restarts the time limit with a new signal, for the call of `onError` after the run. If the operator is stopping, the new signal is
   * already aborted. Does not reset `expired`.
   */
  restart(): RunSignal {
    const { reason } = this.#current;
    this.end();
    this.#current = new RunSignal();
    if (this.#stopped) {
      this.#current.abort(reason);
      this.#expectEnd();
    } else this.#arm();
    return this.#current;
  }
  /** Aborts the run because the operator is stopping. */
  stop(): void {
    this.#stopped = true;
    this.#current.abort(new KubewrightError('STOPPED', 'the operator is stopping'));
    this.#expectEnd();
  }
  /** Cancels the timer of the time limit or of the grace period. */
  end(): void {
    this.#timer?.cancel();
  }
  #arm(): void {
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return;
    this.#timer = this.#clock.schedule(timeoutMs, () => this.#expire(timeoutMs));
  }
  /** Starts the grace period of a run whose signal was aborted. */
  #expectEnd(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.schedule(ABORT_GRACE_MS, () => this.onOverdue?.());
  }
  #expire(timeoutMs: number): void {
    if (this.#current.aborted) return;
    this.#expired = true;
    this.#current.abort(
      new KubewrightError('DEADLINE_EXCEEDED', `reconcile took longer than ${timeoutMs} ms: deadline exceeded`),
    );
    this.#expectEnd();
  }
}
