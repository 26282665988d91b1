import { invalidLeaderElection as invalid } from './invalid-leader-election.js';
import type { LeaseLock } from './lease-lock.js';

const STRATEGY = 'OldestEmulationVersion';
const CANDIDATE = /^[-._a-zA-Z0-9]{1,253}$/;
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/**
 * Coordinated election, which Kubernetes has as a beta that is off by default (feature gate CoordinatedLeaderElection, API
 * coordination.k8s.io/v1beta1): each replica announces itself by a LeaseCandidate, the server chooses, by strategy, and writes the
 * Lease; candidates only renew what was given to them.
 */
export interface CoordinatedElectionOptions {
  /** The version of this program, such as '1.4.0'. */
  readonly binaryVersion: string;
  /** The version that it behaves like: not above `binaryVersion`. @default the same */
  readonly emulationVersion?: string;
  /** By what the server chooses. @default 'OldestEmulationVersion': the lowest emulation version, so that upgrades lead last */
  readonly strategy?: string;
}

/** Fills in defaults. Throws INVALID_LEADER_ELECTION. */
export function resolveCoordinatedElection(
  { binaryVersion, emulationVersion = binaryVersion, strategy = STRATEGY }: CoordinatedElectionOptions,
  { name, identity, lock }: { readonly name: string; readonly identity: string; readonly lock: LeaseLock | undefined },
): Required<CoordinatedElectionOptions> {
  if (lock !== undefined) throw invalid(name, 'coordinated and lock exclude each other: the server chooses by a Lease');
  if (!CANDIDATE.test(identity)) {
    const rule = 'use letters, digits, ., _ and -, at most 253';
    throw invalid(name, `identity '${identity}' cannot be the name of a LeaseCandidate: ${rule}`);
  }
  for (const [option, version] of Object.entries({ binaryVersion, emulationVersion })) {
    if (VERSION.test(version)) continue;
    throw invalid(name, `coordinated.${option} is '${version}': write a semantic version, such as '1.4.0'`);
  }
  return { binaryVersion, emulationVersion, strategy };
}
