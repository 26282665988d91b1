import { writeSync } from 'node:fs';
import { messageOf } from '@kubewright/api/errors';
import { maskCrashReports, maskText } from '@kubewright/api/secrets';
import { isOfSurroundings } from './surroundings.js';

/** The time after the stop of the manager during which abandoned work, or a program that does not end, may keep the process alive. */
const LINGER_MS = 1000;

/** The exit code of a process whose manager lost its leadership. Another replica takes over; restart this process. */
export const LEADERSHIP_LOST_EXIT_CODE = 75;
const FAILED_EXIT_CODE = 1;

/**
 * The process that a manager owns. Signals of the process stop the manager, and the exit code reports the result. With `signals: false`,
 * the manager does not own the process, and this class does nothing.
 */
export class OwnedProcess {
  readonly #signals: readonly NodeJS.Signals[];
  readonly #owned: boolean;
  #onSignal: ((signal: NodeJS.Signals) => void) | undefined;
  #signalled = false;
  /** Errors that are printed as one line if the program does not handle them. */
  readonly #failures = new Set<unknown>();

  constructor(signals: readonly NodeJS.Signals[] | false) {
    this.#owned = signals !== false;
    this.#signals = signals === false ? [] : signals;
  }

  /** Whether a stop signal was received. */
  get signalled(): boolean {
    return this.#signalled;
  }
  /** Calls `stop` on the first stop signal. The second signal has its default effect. */
  onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
    this.#onSignal = (signal) => {
      this.ignoreSignals();
      this.#signalled = true;
      stop(signal);
    };
    for (const signal of this.#signals) process.on(signal, this.#onSignal);
  }
  /** Removes the signal handlers, so that signals have their default effect. */
  ignoreSignals(): void {
    if (this.#onSignal === undefined) return;
    for (const signal of this.#signals) process.off(signal, this.#onSignal);
  }
  /**
   * Sets the exit code after the stop of the manager. If the manager failed, the exit code is 1 unless the program has set another one.
   * Abandoned work does not keep the process alive.
   */
  end({ failed, leftBehind }: { readonly failed: boolean; readonly leftBehind: boolean }): void {
    if (!this.#owned) return;
    if (failed) process.exitCode ??= FAILED_EXIT_CODE;
    if (leftBehind) setTimeout(() => process.exit(), LINGER_MS).unref();
  }
  /**
   * Registers an error that the program also receives. If the program does not handle an error of the environment, such as an unreachable
   * server, the process prints only the message and exits. By default, Node.js would print a source line and a stack trace.
   */
  failing(error: unknown): void {
    if (!this.#owned || !isOfSurroundings(error)) return;
    if (this.#failures.size === 0) process.on('uncaughtExceptionMonitor', this.#tellUncaught);
    this.#failures.add(error);
  }
  readonly #tellUncaught = (error: unknown): void => {
    const isHandled = process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
    if (isHandled || !this.#failures.has(error)) return;
    writeSync(process.stderr.fd, `error: ${maskText(messageOf(error))}\n`);
    process.exit(process.exitCode ?? FAILED_EXIT_CODE);
  };
  /** Masks secrets in uncaught errors before Node.js prints them. The process ends as usual. */
  maskCrashes(): void {
    if (this.#owned) maskCrashReports();
  }
  /** Exits the process with LEADERSHIP_LOST_EXIT_CODE after `LINGER_MS` at the latest, even if other work keeps the process alive. */
  leadershipLost(): void {
    if (!this.#owned) return;
    process.exitCode = LEADERSHIP_LOST_EXIT_CODE;
    setTimeout(() => process.exit(LEADERSHIP_LOST_EXIT_CODE), LINGER_MS).unref();
  }
}
