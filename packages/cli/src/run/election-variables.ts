import { KubewrightError } from '@kubewright/api/errors';
import type { InspectedOperator } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';

/** The name and the namespace of a Lease. */
export interface LeaseKey {
  readonly name: string;
  readonly namespace: string;
}

/** Returns the Lease of the deployed operator; undefined if the operator does not use leader election, or does not use a Lease for it. */
export function leaseOf(
  election: InspectedOperator['leaderElection'],
  { namespace }: Pick<ProjectSettings, 'namespace'>,
): LeaseKey | undefined {
  if (election === undefined || !election.lease) return undefined;
  return { name: election.name, namespace: election.namespace ?? namespace };
}

/**
 * Returns the environment variables for a local operator that takes part in the leader election of the deployed operator.
 * @throws KubewrightError INVALID_USAGE if the program does not configure leader election
 */
export function electionVariables(
  election: InspectedOperator['leaderElection'],
  settings: Pick<ProjectSettings, 'namespace'>,
): Readonly<Record<string, string>> {
  if (election === undefined) {
    const message =
      'cannot take part in a leader election: the program does not configure leader election; add leaderElection to the options of its Manager, or remove --leader-elect';
    throw new KubewrightError('INVALID_USAGE', message);
  }
  const lease = leaseOf(election, settings);
  return {
    KUBEWRIGHT_LEADER_ELECT: 'true',
    ...(lease !== undefined && { KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: lease.namespace }),
  };
}

/** Reports whether a flag of the operator, or otherwise an environment variable, enables leader election. */
export function isElecting(env: NodeJS.ProcessEnv, flags: readonly string[]): boolean {
  const flag = flags.findLast((each) => /^--leader-elect(=|$)/.test(each));
  if (flag !== undefined) return flag !== '--leader-elect=false';
  return env['KUBEWRIGHT_LEADER_ELECT'] === 'true';
}
