import { type Clock, type Duration, durationMs } from '@kubewright/api/clock';
import type { KubewrightError } from '@kubewright/api/errors';

/** The limits of a wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** The maximum duration of the wait. @default no timeout */
  readonly timeout?: Duration;
}

/** Receives the result of a wait. Only the first call of `found` or `failed` has an effect. */
export interface Waiter<R> {
  readonly found: (result: R) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Calls `begin`, waits until `begin` reports a result, and returns the result. When the wait is over, calls the function that `begin` has
 * returned, which stops the work of `begin`. Rejects with the error that `begin` throws or reports, with the error of `tooLate` after the
 * timeout, or with the reason of the signal if the signal is aborted.
 */
export function boundedWait<R>(
  { timeout, signal }: WaitOptions,
  using: {
    readonly clock: Clock;
    readonly begin: (waiter: Waiter<R>) => () => void;
    readonly tooLate: () => KubewrightError;
  },
): Promise<R> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let end = (): void => undefined;
    const settle = (complete: () => void): void => {
      if (isOver) return;
      isOver = true;
      end();
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
      complete();
    };
    const failed = (reason: unknown): void => settle(() => reject(reason));
    const onAbort = (): void => failed(signal?.reason);
    const timer =
      timeout === undefined ? undefined : using.clock.schedule(durationMs(timeout), () => failed(using.tooLate()));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) return onAbort();
    try {
      end = using.begin({ found: (result) => settle(() => resolve(result)), failed });
      if (isOver) end();
    } catch (error) {
      failed(error);
    }
  });
}
