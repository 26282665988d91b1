import { type Clock, type Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** The grace period after which a run that ignores its aborted signal is overdue. */
const HEEDING_MS = 5000;

/** The time limit and the signal of one run. */
export class RunLimit {
  /** Resolves when the run has ignored its aborted signal for 5 s. Workers then no longer wait for the run. */
  readonly overdue: Promise<void>;
  #abort = new AbortController();
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;
  #timer: Timer | undefined;
  #expired = false;
  #stopped = false;
  #becomeOverdue: () => void = () => undefined;

  constructor(clock: Clock, timeoutMs: number | undefined) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.overdue = new Promise((resolve) => {
      this.#becomeOverdue = resolve;
    });
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** Whether the time limit expired before the run ended. */
  get expired(): boolean {
    return this.#expired;
  }
  /** Restarts the limit with a new signal, for `onError` after the run. `expired` does not change. */
  restart(): AbortSignal {
    const { signal } = this;
    this.end();
    this.#abort = new AbortController();
    if (this.#stopped) {
      this.#abort.abort(signal.reason);
      this.#expectEnd();
    } else this.#arm();
    return this.signal;
  }
  /** Aborts the run because the operator is stopping. */
  stop(): void {
    this.#stopped = true;
    this.#abort.abort(new KubewrightError('STOPPED', 'the operator is stopping'));
    this.#expectEnd();
  }
  /** Cancels the timer at the end of the run. */
  end(): void {
    this.#timer?.cancel();
  }
  #arm(): void {
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return;
    this.#timer = this.#clock.schedule(timeoutMs, () => this.#expire(timeoutMs));
  }
  /** Starts the grace period of an aborted run. */
  #expectEnd(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.schedule(HEEDING_MS, this.#becomeOverdue);
  }
  #expire(timeoutMs: number): void {
    if (this.signal.aborted) return;
    this.#expired = true;
    this.#abort.abort(
      new KubewrightError('DEADLINE_EXCEEDED', `reconcile took longer than ${timeoutMs} ms: deadline exceeded`),
    );
    this.#expectEnd();
  }
}
