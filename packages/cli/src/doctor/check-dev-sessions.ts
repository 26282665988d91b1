import { isForbidden } from '@kubewright/api/errors';
import type { KubeApi } from '../deploy/kube-api.js';
import { findSessions, type FoundSession } from '../dev-sessions/found-sessions.js';
import { type Finding, ok, warning } from './finding.js';

/**
 * Reports the sessions of `kubewright dev` that have webhooks in the cluster. Does not change the cluster. Returns no findings if the user
 * may not list the objects of sessions.
 */
export async function checkDevSessions(api: KubeApi): Promise<readonly Finding[]> {
  try {
    return (await findSessions(api)).map(findingOf);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

function findingOf({ lease, holder = 'another user', isExpired, definitions }: FoundSession): Finding {
  const converted = definitions.length === 0 ? '' : ` and converts ${definitions.join(', ')}`;
  const who = `'kubewright dev' of ${holder} (Lease ${lease})`;
  if (!isExpired) return ok('dev-sessions', `${who} serves webhooks${converted}`);
  return warning(
    'dev-sessions',
    `${who} ended without removing its webhooks${definitions.length === 0 ? '' : `, so that objects of ${definitions.join(', ')} cannot be converted`}`,
    "run 'kubewright install', which removes them",
  );
}
