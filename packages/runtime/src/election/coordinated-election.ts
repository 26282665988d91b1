import { invalidLeaderElection as invalid } from './invalid-leader-election.js';
import type { LeaseLock } from './lease-lock.js';

const STRATEGY = 'OldestEmulationVersion';
const CANDIDATE = /^[-._a-zA-Z0-9]{1,253}$/;
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * The options of coordinated leader election, in which the API server selects the leader. Each replica creates a LeaseCandidate. The server
 * selects a candidate by a strategy and writes the Lease, and candidates only renew a Lease that the server assigned to them. This beta
 * feature of Kubernetes is disabled by default (feature gate CoordinatedLeaderElection, API coordination.k8s.io/v1beta1).
 */
export interface CoordinatedElectionOptions {
  /** The version of this program, such as '1.4.0'. */
  readonly binaryVersion: string;
  /** The version whose behavior the program emulates. Must not be greater than `binaryVersion`. @default the same version */
  readonly emulationVersion?: string;
  /**
   * The strategy by which the server selects the leader. @default 'OldestEmulationVersion': the lowest emulation version, so that upgraded
   * replicas are selected last
   */
  readonly strategy?: string;
}

/** Validates the options and applies defaults. Throws INVALID_LEADER_ELECTION. */
export function resolveCoordinatedElection(
  { binaryVersion, emulationVersion = binaryVersion, strategy = STRATEGY }: CoordinatedElectionOptions,
  { name, identity, lock }: { readonly name: string; readonly identity: string; readonly lock: LeaseLock | undefined },
): Required<CoordinatedElectionOptions> {
  if (lock !== undefined)
    throw invalid(
      name,
      'both coordinated and lock are set: coordinated election always uses a Lease of the API server; remove lock',
    );
  if (!CANDIDATE.test(identity)) {
    const rule = 'use at most 253 letters, digits, ., _ and -';
    throw invalid(name, `identity '${identity}' is not a valid LeaseCandidate name: ${rule}`);
  }
  for (const [option, version] of Object.entries({ binaryVersion, emulationVersion })) {
    if (VERSION.test(version)) continue;
    throw invalid(name, `coordinated.${option} is '${version}': use a semantic version, such as '1.4.0'`);
  }
  return { binaryVersion, emulationVersion, strategy };
}
