import { hostname } from 'node:os';
import { type Duration, durationMs, type Random, systemRandom } from '@kubewright/api/clock';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '@kubewright/api/names';
import { type CoordinatedElectionOptions, resolveCoordinatedElection } from './coordinated-election.js';
import { invalidLeaderElection as invalid } from './invalid-leader-election.js';
import type { LeaseLock } from './lease-lock.js';

/**
 * The maximum random time that a candidate waits in addition to the retry period, as a multiple of the retry period. Avoids simultaneous
 * requests of candidates.
 */
export const JITTER = 1.2;

/**
 * The options of leader election between replicas. The defaults are the same as in client-go, so that client-go candidates can take part in
 * the same election.
 */
export interface LeaderElectionOptions {
  /** The name of the Lease. All replicas must use the same name, and other programs must not use it. */
  readonly name: string;
  /** The namespace of the Lease. @default the namespace of the Pod; an error outside of a Pod */
  readonly namespace?: string;
  /**
   * The time after the last observed renewal during which other candidates do not take the Lease. If the leader crashes, another candidate
   * becomes the leader after this time. Must be a whole number of seconds and longer than `renewDeadline`. @default '15s'
   */
  readonly duration?: Duration;
  /**
   * The time for which a leader tries to renew the Lease before it gives up the leadership. Must be longer than 1.2 × `retryPeriod`.
   * @default '10s'
   */
  readonly renewDeadline?: Duration;
  /**
   * The interval at which the leader renews the Lease and candidates check the Lease. Each candidate adds a random time of up to 1.2 times
   * the interval. If client-go candidates compete for the same Lease, use more than '1s': client-go compares renewal times by the second,
   * and would treat the Lease as expired too early. @default '2s'
   */
  readonly retryPeriod?: Duration;
  /**
   * Whether to release the Lease when the manager has stopped all leader-only components. The next leader then need not wait until the
   * Lease expires. @default true
   */
  readonly releaseOnStop?: boolean;
  /** The labels of the Lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The identity of this replica, which must be unique among all candidates. @default the host name, '_' and a UUID */
  readonly identity?: string;
  /** A custom lock that replaces the Lease of the API server. @default a Lease */
  readonly lock?: LeaseLock;
  /**
   * The delay of the health check of a leader that cannot renew its Lease but still runs: the check fails this long after the Lease has
   * expired. @default '20s'
   */
  readonly healthTolerance?: Duration;
  /**
   * The options of coordinated leader election, in which the API server selects the leader. @default the candidates decide among themselves
   */
  readonly coordinated?: CoordinatedElectionOptions;
}

/** The options of a leader election after validation, with defaults applied. */
export interface ResolvedLeaderElection {
  readonly name: string;
  /** The namespace of the Lease. Can be empty with a custom lock. */
  readonly namespace: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly releaseOnStop: boolean;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly identity: string;
  readonly lock: LeaseLock | undefined;
  readonly healthToleranceMs: number;
  readonly coordinated: Required<CoordinatedElectionOptions> | undefined;
}

/**
 * Validates the options and applies defaults. Throws INVALID_DURATION for a text that is not a duration, and INVALID_LEADER_ELECTION for
 * other invalid options; the message of the latter names the option, the problem and the fix.
 *
 * @param options the options, or only the name of the Lease
 * @param surroundings `podNamespace` is the default namespace, and `random` is the source of the default identity
 */
export function resolveLeaderElection(
  options: LeaderElectionOptions | string,
  {
    podNamespace,
    random = systemRandom,
  }: { readonly podNamespace?: string | undefined; readonly random?: Random } = {},
): ResolvedLeaderElection {
  const given: LeaderElectionOptions = typeof options === 'string' ? { name: options } : options;
  const { name, lock, labels, releaseOnStop = true } = given;
  checkName(name);
  const namespace = given.namespace ?? podNamespace ?? '';
  if (lock === undefined) checkNamespace(name, namespace);
  checkLabels(name, labels);
  const identity = given.identity ?? `${hostname()}_${random.uuid()}`;
  if (identity === '') throw invalid(name, 'identity is empty: omit it, or set a different identity for each replica');
  const coordinated = given.coordinated && resolveCoordinatedElection(given.coordinated, { name, identity, lock });
  const times = resolveTimes(given);
  return { name, namespace, ...times, releaseOnStop, labels, identity, lock, coordinated };
}

function resolveTimes(given: LeaderElectionOptions) {
  const { name, duration = '15s', renewDeadline = '10s', retryPeriod = '2s', healthTolerance = '20s' } = given;
  const leaseDurationMs = durationMs(duration);
  const renewDeadlineMs = durationMs(renewDeadline);
  const retryPeriodMs = durationMs(retryPeriod);
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0) {
    throw invalid(name, `duration is '${duration}': it must be a whole number of seconds, at least 1s`);
  }
  if (retryPeriodMs <= 0) throw invalid(name, `retryPeriod is '${retryPeriod}': it must be greater than 0`);
  if (leaseDurationMs <= renewDeadlineMs) {
    throw invalid(
      name,
      `duration is '${duration}' and renewDeadline is '${renewDeadline}': the leader must stop before another replica can acquire the lease; make duration longer than renewDeadline`,
    );
  }
  if (renewDeadlineMs <= JITTER * retryPeriodMs) {
    throw invalid(
      name,
      `renewDeadline is '${renewDeadline}' and retryPeriod is '${retryPeriod}': the leader needs time to retry; make renewDeadline longer than ${JITTER} × retryPeriod`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs, healthToleranceMs: durationMs(healthTolerance) };
}

function checkName(name: string): void {
  const [error] = dns1123SubdomainErrors(name);
  if (error !== undefined) throw invalid(name, `name is not a valid Lease name: ${error}`);
}
function checkNamespace(name: string, namespace: string): void {
  if (namespace === '') {
    throw invalid(
      name,
      'this process does not run in a Pod: set the namespace of the Lease with the option leaderElection.namespace or the flag --leader-election-namespace',
    );
  }
  const [error] = dns1123LabelErrors(namespace);
  if (error !== undefined) throw invalid(name, `namespace '${namespace}' is not valid: ${error}`);
}
function checkLabels(name: string, labels: Readonly<Record<string, string>> = {}): void {
  for (const [key, value] of Object.entries(labels)) {
    const [error] = [...qualifiedNameErrors(key), ...labelValueErrors(value)];
    if (error !== undefined) throw invalid(name, `label '${key}=${value}' is not valid: ${error}`);
  }
}
