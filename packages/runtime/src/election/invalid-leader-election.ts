import { KubewrightError } from '@kubewright/api/errors';

/** Returns an INVALID_LEADER_ELECTION error about the options of an election. */
export function invalidLeaderElection(name: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_LEADER_ELECTION', `leader election '${name}': ${problem}`);
}
