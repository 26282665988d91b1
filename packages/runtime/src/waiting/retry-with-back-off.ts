import type { Clock } from '@kubewright/api/clock';
import { BackOff } from './back-off.js';

/** The options of `retryWithBackOff`. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the error of each failed attempt. If this function throws, no further attempt is made. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Repeats `attempt` with increasing delays until an attempt succeeds, and resolves with the result of this attempt. Rejects with the error
 * that `onFailure` throws, or with the reason of the signal if the signal is aborted. Does not call `onFailure` for an attempt that fails
 * after the signal was aborted.
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
