import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../cache/abortable.js';

/** Waits for the work as long as the limit says; undefined for ever. Rejects with NOT_SYNCED, which says what is missing, and with the reason of the signal. */
export async function withinSyncLimit(
  work: Promise<void>,
  signal: AbortSignal,
  limit: { readonly clock: Clock; readonly limitMs: number | undefined; readonly missing: () => readonly string[] },
): Promise<void> {
  const { clock, limitMs, missing } = limit;
  if (limitMs === undefined) return abortable(work, signal);
  const deadline = new AbortController();
  const timer = clock.schedule(limitMs, () => {
    const reasons = missing().join('; ');
    deadline.abort(new KubewrightError('NOT_SYNCED', `cannot start: not ready after ${limitMs / 1000} s: ${reasons}`));
  });
  try {
    await abortable(work, AbortSignal.any([deadline.signal, signal]));
  } finally {
    timer.cancel();
  }
}
