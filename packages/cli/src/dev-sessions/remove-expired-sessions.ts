import { isForbidden } from '@kubewright/api/errors';
import type { CommandContext } from '../command/command-context.js';
import type { KubeApi } from '../deploy/kube-api.js';
import { findSessions, type FoundSession, removeSession } from './found-sessions.js';

/** The options of `removeExpiredSessions`. */
export interface RemoveExpiredOptions {
  /** Whether to print the changes without making them. @default false */
  readonly dryRun?: boolean;
  /** Returns whether a session has ended although its Lease has not expired yet. @default always false */
  readonly hasEnded?: (lease: string) => boolean;
}

/** The result of `removeExpiredSessions`. */
export interface RemovedSessions {
  /** The number of sessions that were removed, or that would be removed without the dry run. */
  readonly removed: number;
  /** The sessions that still run. */
  readonly live: readonly FoundSession[];
}

/**
 * Removes the webhooks of each session of `kubewright dev` that was terminated before it removed its webhooks. Prints each change. If the
 * user may not list the objects of sessions, changes nothing and returns no sessions.
 */
export async function removeExpiredSessions(
  { output }: CommandContext,
  api: KubeApi,
  { dryRun = false, hasEnded = () => false }: RemoveExpiredOptions = {},
): Promise<RemovedSessions> {
  const live: FoundSession[] = [];
  let removed = 0;
  for (const session of await sessionsIfAllowed(api)) {
    const isOver = session.isExpired || hasEnded(session.lease);
    const changes = isOver ? await removeSession(api, session, { dryRun }) : undefined;
    if (changes === undefined) {
      live.push(session);
      continue;
    }
    removed++;
    const of = session.holder === undefined ? '' : ` of ${session.holder}`;
    const why = `'kubewright dev'${of} (Lease ${session.lease}) ended without removing its webhooks`;
    for (const change of changes) output.line(output.styles.dim(`${change}: ${why}`));
  }
  return { removed, live };
}

/**
 * Reports whether the cluster has webhooks of sessions whose Lease has expired. Returns false if the user may not list the objects of
 * sessions.
 */
export async function hasExpiredSessions(api: KubeApi): Promise<boolean> {
  return (await sessionsIfAllowed(api)).some(({ isExpired }) => isExpired);
}

async function sessionsIfAllowed(api: KubeApi): Promise<readonly FoundSession[]> {
  try {
    return await findSessions(api);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
