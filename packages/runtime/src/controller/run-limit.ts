import { type Clock, type Timer } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** How long a run that does not heed its signal keeps others from its place. */
const HEEDING_MS = 5000;

/** The time limit and the signal of one run. */
export class RunLimit {
  /** Resolves when the run has gone on for so long after its time limit that it shall no longer hold up others. */
  readonly overdue: Promise<void>;
  readonly #abort = new AbortController();
  readonly #clock: Clock;
  #timer: Timer | undefined;
  #expired = false;
  #becomeOverdue: () => void = () => undefined;

  constructor(clock: Clock, timeoutMs: number | undefined) {
    this.#clock = clock;
    this.overdue = new Promise((resolve) => {
      this.#becomeOverdue = resolve;
    });
    if (timeoutMs !== undefined) this.#timer = clock.schedule(timeoutMs, () => this.#expire(timeoutMs));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  /** Whether the time limit was over before the run ended. */
  get expired(): boolean {
    return this.#expired;
  }
  /** Aborts the run because the operator stops. */
  stop(): void {
    this.#abort.abort(new KubewrightError('STOPPED', 'the operator stops'));
  }
  /** The run has ended. */
  end(): void {
    this.#timer?.cancel();
  }
  #expire(timeoutMs: number): void {
    if (this.signal.aborted) return;
    this.#expired = true;
    this.#abort.abort(
      new KubewrightError('DEADLINE_EXCEEDED', `reconcile took longer than ${timeoutMs} ms: deadline exceeded`),
    );
    this.#timer = this.#clock.schedule(HEEDING_MS, this.#becomeOverdue);
  }
}
