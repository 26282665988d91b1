import type { Clock } from '@kubewright/api/clock';
import { abortable } from './abortable.js';

/** What ends work before it is done. */
export interface Deadline {
  readonly clock: Clock;
  /** How long it may take. */
  readonly ms: number;
  /** Why it failed when it took longer. */
  readonly tooLate: () => Error;
  /** Ends it at once. @default nothing does */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the work comes to, unless its time is over or the signal is aborted before: then rejects with `tooLate()` or the reason of
 * the signal, whether or not the work heeds the signal that it gets.
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
