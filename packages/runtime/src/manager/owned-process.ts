import { writeSync } from 'node:fs';
import { messageOf } from '@kubewright/api/errors';
import { maskCrashReports, maskText } from '@kubewright/api/secrets';
import { isOfSurroundings } from './surroundings.js';

/** How long what was left behind, or a program that does not end, may keep the process alive after the manager has stopped. */
const LINGER_MS = 1000;

/** The exit code of a process whose manager lost its leadership: another replica goes on; start this one again. */
export const LEADERSHIP_LOST_EXIT_CODE = 75;
const FAILED_EXIT_CODE = 1;

/**
 * The process that a manager owns: it stops on signals, and tells by the exit code how it went. A manager with `signals: false` owns
 * none, and does nothing of this.
 */
export class OwnedProcess {
  readonly #signals: readonly NodeJS.Signals[];
  readonly #owned: boolean;
  #onSignal: ((signal: NodeJS.Signals) => void) | undefined;
  #signalled = false;
  /** What is told in a line, should nobody handle it. */
  readonly #failures = new Set<unknown>();

  constructor(signals: readonly NodeJS.Signals[] | false) {
    this.#owned = signals !== false;
    this.#signals = signals === false ? [] : signals;
  }

  /** Whether one of the signals came. */
  get signalled(): boolean {
    return this.#signalled;
  }
  /** Calls back at the first of the signals; the second one does what it does without us. */
  onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
    this.#onSignal = (signal) => {
      this.ignoreSignals();
      this.#signalled = true;
      stop(signal);
    };
    for (const signal of this.#signals) process.on(signal, this.#onSignal);
  }
  /** From now on signals do what they do without us. */
  ignoreSignals(): void {
    if (this.#onSignal === undefined) return;
    for (const signal of this.#signals) process.off(signal, this.#onSignal);
  }
  /**
   * The manager has stopped. Where it failed, the exit code is 1 unless the program has chosen another; where something was left
   * behind, it does not keep the process alive.
   */
  end({ failed, leftBehind }: { readonly failed: boolean; readonly leftBehind: boolean }): void {
    if (!this.#owned) return;
    if (failed) process.exitCode ??= FAILED_EXIT_CODE;
    if (leftBehind) setTimeout(() => process.exit(), LINGER_MS).unref();
  }
  /**
   * The program gets this failure. Where nobody handles it, and it is one of the surroundings, its message is all that is written, where
   * Node would write a line of our code and a stack before; the process ends by it as it would.
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
  /** Leadership is lost: the process ends soon, with LEADERSHIP_LOST_EXIT_CODE, whatever still keeps it alive. */
  leadershipLost(): void {
    if (!this.#owned) return;
    process.exitCode = LEADERSHIP_LOST_EXIT_CODE;
    setTimeout(() => process.exit(LEADERSHIP_LOST_EXIT_CODE), LINGER_MS).unref();
  }
}
