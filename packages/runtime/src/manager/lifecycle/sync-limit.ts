import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { withinDeadline } from '../../waiting/deadline.js';
import type { Placed } from './runnable-groups.js';

/** The time limit within which a component must become ready. */
export interface SyncLimit {
  readonly clock: Clock;
  /** The limit in milliseconds. Undefined for no limit. */
  readonly limitMs: number | undefined;
  /** Returns what the component is waiting for, as sentences. */
  readonly missing: () => readonly string[];
}

/**
 * Adds a time limit to a component. If the component is not ready in time, it fails with NOT_SYNCED; the message states what the component
 * was waiting for.
 */
export function withSyncLimit({ group, member }: Placed, limit: SyncLimit): Placed {
  if (member.ready === undefined) return { group, member };
  const limited = (signal: AbortSignal): Promise<void> =>
    withinSyncLimit(member.name, { ...limit, signal }, async () => member.ready?.(signal));
  return { group, member: { ...member, ready: limited } };
}

/**
 * Calls `work` and resolves with its result. If the limit is exceeded, rejects with NOT_SYNCED; the message states what `work` was waiting
 * for. Also rejects with the reason of the signal. In both cases, aborts the signal of `work`.
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
