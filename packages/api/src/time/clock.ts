import { type Random, systemRandom } from './random.js';
import { type Duration, durationMs } from './duration.js';

/** A timer that has not fired yet. */
export interface Timer {
  /** Cancels the callback. Has no effect after the callback was called. */
  cancel(): void;
}

/** The options of `Clock.schedule`. */
export interface TimerOptions {
  /**
   * Whether the callback only maintains connections or records, and changes no objects that others read. The clock of a test can then call
   * the callback late, just before the next other timer. @default false
   */
  readonly isUpkeep?: boolean;
}

/** A source of time, timers and random values. Tests use a clock that they advance manually. */
export abstract class Clock {
  /** Returns the wall-clock time. */
  abstract now(): Date;
  /** Returns milliseconds since an arbitrary moment. Never decreases. Use the value to measure durations, not to display times. */
  abstract monotonicMs(): number;
  /** Calls the callback once after the delay in milliseconds. By default, a pending timer does not keep the process alive. */
  abstract schedule(delayMs: number, callback: () => void, options?: TimerOptions): Timer;

  /** The source of random delays, names and uids. @default the random values of the system */
  get random(): Random {
    return systemRandom;
  }

  /**
   * Resolves after the delay. Rejects with the reason of the signal if the signal is aborted first. A sleep on the system clock keeps the
   * process alive.
   */
  sleep(delay: Duration, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = this.schedule(durationMs(delay), () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}
