import { type Duration, durationMs } from './duration.js';

/** A timer that has not fired yet. */
export interface Timer {
  /** Forgets the callback; does nothing once it has been called. */
  cancel(): void;
}

/** The time, and waiting. A test's clock moves by hand. */
export abstract class Clock {
  /** The wall time. */
  abstract now(): Date;
  /** Milliseconds since an arbitrary moment; never goes back. For measuring, not for people. */
  abstract monotonicMs(): number;
  /** Calls back once after the delay, in milliseconds. A pending timer does not keep the process alive, unless the clock says so. */
  abstract schedule(delayMs: number, callback: () => void): Timer;

  /**
   * Resolves after the delay, for which that of a machine keeps the process alive; rejects with the reason of the signal when that is
   * aborted before.
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
