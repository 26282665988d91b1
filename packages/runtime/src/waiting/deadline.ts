import type { Clock } from '@kubewright/api/clock';
import { abortable } from './abortable.js';

/** The time limit and the signal that can end work early. */
export interface Deadline {
  readonly clock: Clock;
  /** The time limit in milliseconds. */
  readonly ms: number;
  /** Returns the error for work that exceeds the time limit. */
  readonly tooLate: () => Error;
  /** Ends the work immediately when aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the result of the work. If the time limit is exceeded or the signal is aborted first, rejects with `tooLate()` or the reason of
 * the signal, even if the work ignores the signal that it receives.
 */
export async function withinDeadline<T>(
  { clock, ms, tooLate, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = clock.schedule(ms, () => ending.abort(tooLate()));
  try {
    return await abortable(work(ending.signal), ending.signal);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
