import { writeSync } from 'node:fs';
import { messageOf } from '@kubewright/api/errors';
import { maskCrashReports, maskText } from '@kubewright/api/secrets';
import { isEnvironmentError } from './environment-errors.js';

/** The time in milliseconds from the stop of the manager to the exit of the process, if work is still running. */
const LINGER_MS = 1000;

/** The exit code of a process whose manager lost its Lease. Another replica becomes the leader, and this process must be restarted. */
export const LEADERSHIP_LOST_EXIT_CODE = 75;
const FAILED_EXIT_CODE = 1;

/**
 * The process of a manager. Signals of the process stop the manager, and the exit code reports whether the manager failed. With `signals:
 * false`, the program owns the process, and this class does nothing.
 */
export class OwnedProcess {
  readonly #signals: readonly NodeJS.Signals[];
  readonly #owned: boolean;
  #onSignal: ((signal: NodeJS.Signals) => void) | undefined;
  #signalled = false;
  /** The errors that are printed in one line if the program does not handle them. */
  readonly #failures = new Set<unknown>();

  constructor(signals: readonly NodeJS.Signals[] | false) {
    this.#owned = signals !== false;
    this.#signals = signals === false ? [] : signals;
  }

  /** Whether the process received a stop signal. */
  get signalled(): boolean {
    return this.#signalled;
  }
  /** Calls `stop` at the first stop signal. A second signal has its default effect. */
  onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
    this.#onSignal = (signal) => {
      this.ignoreSignals();
      this.#signalled = true;
      stop(signal);
    };
    for (const signal of this.#signals) process.on(signal, this.#onSignal);
  }
  /** Stops handling signals, so that they have their default effect. */
  ignoreSignals(): void {
    if (this.#onSignal === undefined) return;
    for (const signal of this.#signals) process.off(signal, this.#onSignal);
  }
  /**
   * Prepares the exit of the process when the manager has stopped. If `failed` is true and no exit code is set, sets exit code 1. If
   * `leftovers` is true, which means that work is still running, the process exits after `LINGER_MS`.
   */
  end({ failed, leftovers }: { readonly failed: boolean; readonly leftovers: boolean }): void {
    if (!this.#owned) return;
    if (failed) process.exitCode ??= FAILED_EXIT_CODE;
    if (leftovers) setTimeout(() => process.exit(), LINGER_MS).unref();
  }
  /**
   * Registers an error that is also passed to the program. If the program does not handle the error, and the cause is in the environment,
   * such as an unreachable server, the process prints only the message and exits. Without this method, Node.js would also print a source
   * line and a stack trace.
   */
  failing(error: unknown): void {
    if (!this.#owned || !isEnvironmentError(error)) return;
    if (this.#failures.size === 0) process.on('uncaughtExceptionMonitor', this.#logUncaught);
    this.#failures.add(error);
  }
  readonly #logUncaught = (error: unknown): void => {
    const isHandled = process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
    if (isHandled || !this.#failures.has(error)) return;
    writeSync(process.stderr.fd, `error: ${maskText(messageOf(error))}\n`);
    process.exit(process.exitCode ?? FAILED_EXIT_CODE);
  };
  /** Masks secrets in uncaught errors before Node.js prints them. Does not change how the process ends. */
  maskCrashes(): void {
    if (this.#owned) maskCrashReports();
  }
  /** Sets the exit code LEADERSHIP_LOST_EXIT_CODE. The process exits within `LINGER_MS`, even if work is still running. */
  leadershipLost(): void {
    if (!this.#owned) return;
    process.exitCode = LEADERSHIP_LOST_EXIT_CODE;
    setTimeout(() => process.exit(LEADERSHIP_LOST_EXIT_CODE), LINGER_MS).unref();
  }
}
