import { KubewrightError } from '@kubewright/api/errors';

/** Returns the error for invalid options of a leader election. */
export function invalidLeaderElection(name: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_LEADER_ELECTION', `leader election '${name}': ${problem}`);
}
