import { type Clock, type Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** How long a run that ignores its signal holds up others. */
const HEEDING_MS = 5000;

/** The time limit and the signal of one run. */
export class RunLimit {
  /** Resolves when the run has ignored its aborted signal for 5 s. Others no longer wait for the run then. */
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
  /** Whether the time limit was over before the run ended. */
  get expired(): boolean {
    return this.#expired;
  }
  /** The limit begins anew, with a signal of its own, for what follows the run. Whether the run expired stays known. */
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
  /** Aborts the run because the operator stops. */
  stop(): void {
    this.#stopped = true;
    this.#abort.abort(new KubewrightError('STOPPED', 'the operator stops'));
    this.#expectEnd();
  }
  /** The run has ended. */
  end(): void {
    this.#timer?.cancel();
  }
  #arm(): void {
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return;
    this.#timer = this.#clock.schedule(timeoutMs, () => this.#expire(timeoutMs));
  }
  /** The signal is aborted: the run is overdue if it does not end soon. */
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
