import type { Clock } from '@kubewright/api/clock';
import { abortable } from './abortable.js';

/** The time limit of an operation, and the signal that can abort the operation. */
export interface Deadline {
  readonly clock: Clock;
  /** The time limit in milliseconds. */
  readonly ms: number;
  /** Returns the error for an operation that exceeds the time limit. */
  readonly tooLate: () => Error;
  /** Aborts the operation. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `work` and returns its result. Rejects with the error of `tooLate` after the time limit, or with the reason of the signal if the
 * signal is aborted. In both cases, aborts the signal that `work` receives, but does not wait for work that ignores this signal.
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
