import type { Clock } from '@kubewright/api/clock';
import { BackOff } from './back-off.js';

/** Options of `retryWithBackOff`. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the error of each failed attempt. If the function throws, the attempts end. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Calls `attempt` until it succeeds, with growing delays, and resolves with its result. Rejects with the error that `onFailure` throws, and
 * with the reason of the signal. Does not report an attempt that fails after the signal was aborted.
 */
export async function retryWithBackOff<R>(attempt: () => Promise<R>, options: RetryOptions): Promise<R> {
  const { clock, signal, onFailure } = options;
  const backOff = new BackOff(clock);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      onFailure(error);
    }
    await clock.sleep(`${backOff.nextMs()}ms`, signal);
  }
}
