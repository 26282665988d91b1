import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { abortable } from '../transport/abortable.js';
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
export function withSyncLimit({ group, member }: Placed, { clock, limitMs, missing }: SyncLimit): Placed {
  if (member.ready === undefined || limitMs === undefined) return { group, member };
  const limited = async (signal: AbortSignal): Promise<void> => {
    const deadline = new AbortController();
    const timer = clock.schedule(limitMs, () => {
      const reasons = [...missing(), `${member.name} is not ready`];
      const message = `cannot start: not ready after ${limitMs / 1000} s: ${reasons.join('; ')}`;
      deadline.abort(new KubewrightError('NOT_SYNCED', message));
    });
    try {
      await abortable(member.ready?.(signal) ?? Promise.resolve(), AbortSignal.any([deadline.signal, signal]));
    } finally {
      timer.cancel();
    }
  };
  return { group, member: { ...member, ready: limited } };
}
