import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { withinDeadline } from '../transport/deadline.js';
import type { Placed } from './runnable-groups.js';

/** For how long a part may take to get ready, and what it waits for. */
export interface SyncLimit {
  readonly clock: Clock;
  /** Undefined for no limit. */
  readonly limitMs: number | undefined;
  /** What is missing, in sentences. */
  readonly missing: () => readonly string[];
}

/** The same part, which fails with NOT_SYNCED, saying what is missing, when it is not ready in time. */
export function withSyncLimit({ group, member }: Placed, limit: SyncLimit): Placed {
  if (member.ready === undefined) return { group, member };
  const limited = (signal: AbortSignal): Promise<void> =>
    withinSyncLimit(member.name, { ...limit, signal }, async () => member.ready?.(signal));
  return { group, member: { ...member, ready: limited } };
}

/**
 * What the work comes to. Rejects with NOT_SYNCED, saying what is missing, when it takes too long, and with the reason of the signal; the
 * signal that the work is given is aborted then.
 */
export async function withinSyncLimit<R>(
  name: string,
  { clock, limitMs, missing, signal }: SyncLimit & { readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  if (limitMs === undefined) return work(signal);
  const tooLate = (): KubewrightError => {
    const reasons = missing().join('; ') || name;
    return new KubewrightError('NOT_SYNCED', `cannot start: not ready after ${limitMs / 1000} s: ${reasons}`);
  };
  return withinDeadline({ clock, ms: limitMs, tooLate, signal }, work);
}
