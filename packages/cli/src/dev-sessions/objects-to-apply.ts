import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { CommandContext } from '../command/command-context.js';
import type { KubeApi } from '../deploy/kube-api.js';
import type { FoundSession } from './found-sessions.js';
import { removeExpiredSessions } from './remove-expired-sessions.js';
import { withSessionConversions } from './replaced-conversion.js';

/**
 * Prepares an apply of objects: removes the webhooks of sessions of `kubewright dev` that were terminated, and returns the objects to
 * apply. In a dry run, removes no webhooks. The returned definitions then have the conversions of these sessions, because the API server
 * validates the dry run against the current definitions.
 * @throws KubewrightError APPLY_CONFLICT if a running session converts objects of a definition, because the session overwrites the applied
 *   conversion when it ends
 */
export async function objectsToApply<T extends KubeObject>(
  context: CommandContext,
  api: KubeApi,
  { objects, dryRun }: { readonly objects: readonly T[]; readonly dryRun: boolean },
): Promise<readonly T[]> {
  const { live } = await removeExpiredSessions(context, api, { dryRun });
  for (const { kind, metadata } of objects) {
    const session = live.find(({ definitions }) => definitions.includes(metadata.name));
    if (kind === 'CustomResourceDefinition' && session !== undefined) throw converted(metadata.name, session);
  }
  return dryRun ? withSessionConversions(api, objects) : objects;
}

function converted(definition: string, { holder = 'another user', lease }: FoundSession): KubewrightError {
  return new KubewrightError(
    'APPLY_CONFLICT',
    `cannot apply ${definition}: 'kubewright dev' of ${holder} converts its objects (Lease ${lease}); end that command, or wait until its Lease expires`,
  );
}
