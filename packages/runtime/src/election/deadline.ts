import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** What ends work before it is done. */
export interface Deadline {
  readonly clock: Clock;
  /** How long it may take. */
  readonly ms: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/**
 * What the work comes to, unless its time is over or the signal is aborted before: then rejects with LEASE_TIMEOUT or the reason of
 * the signal, whether or not the work heeds the signal that it gets.
 */
export async function withinDeadline<T>(
  { clock, ms, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true });
  });
  const onAbort = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = clock.schedule(ms, () =>
    ending.abort(new KubewrightError('LEASE_TIMEOUT', `no answer about the lease within ${ms / 1000} s`)),
  );
  try {
    return await Promise.race([work(ending.signal), ended]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', onAbort);
  }
}
