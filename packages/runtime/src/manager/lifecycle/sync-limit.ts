import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { withinDeadline } from '../../waiting/deadline.js';
import type { Placed } from './runnable-groups.js';

/** The time limit for the readiness of a component. */
export interface SyncLimit {
  readonly clock: Clock;
  /** Undefined for no limit. */
  readonly limitMs: number | undefined;
  /** Returns the missing prerequisites, as sentences. */
  readonly missing: () => readonly string[];
}

/**
 * Returns the component with a time limit. The component fails with NOT_SYNCED, naming the missing prerequisites, if it is not ready in
 * time.
 */
export function withSyncLimit({ group, member }: Placed, limit: SyncLimit): Placed {
  if (member.ready === undefined) return { group, member };
  const limited = (signal: AbortSignal): Promise<void> =>
    withinSyncLimit(member.name, { ...limit, signal }, async () => member.ready?.(signal));
  return { group, member: { ...member, ready: limited } };
}

/**
 * Resolves with the result of the work. Rejects with NOT_SYNCED, naming the missing prerequisites, if the work exceeds the limit, and with
 * the reason of the signal. In both cases, the signal of the work is aborted.
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
