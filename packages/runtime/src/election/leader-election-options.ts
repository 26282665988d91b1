import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Duration, durationMs } from '@kubewright/api/clock';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '@kubewright/api/names';
import { type CoordinatedElectionOptions, resolveCoordinatedElection } from './coordinated-election.js';
import { invalidLeaderElection as invalid } from './invalid-leader-election.js';
import type { LeaseLock } from './lease-lock.js';

/** The largest random extra wait of a candidate, as a multiple of the retry period. The jitter prevents simultaneous requests. */
export const JITTER = 1.2;

/**
 * The options of a leader election among several replicas. The defaults match client-go, so candidates of client-go can contend for the
 * same Lease.
 */
export interface LeaderElectionOptions {
  /** Name of the Lease. All replicas share the name; other programs must not use it. */
  readonly name: string;
  /** Namespace of the Lease. @default the namespace of the Pod; an error outside of a Pod */
  readonly namespace?: string;
  /**
   * The time after the last observed renewal during which other candidates do not take the Lease: whole seconds, longer than
   * `renewDeadline`. If a leader crashes, another candidate takes over after this time. @default '15s'
   */
  readonly duration?: Duration;
  /** The time during which a leader tries to renew before it gives up. Must be longer than 1.2 × `retryPeriod`. @default '10s' */
  readonly renewDeadline?: Duration;
  /**
   * The interval of renewals by the leader and of checks by candidates. Candidates add a jitter of up to 1.2 times the interval. Use more
   * than '1s' if candidates of client-go contend too: they distinguish renewals by the second, and would count the duration of the lease
   * from an earlier renewal. @default '2s'
   */
  readonly retryPeriod?: Duration;
  /**
   * Whether to release the Lease after the manager has stopped all leader-only components, so that the next leader does not have to wait
   * for the expiration. @default true
   */
  readonly releaseOnStop?: boolean;
  /** Labels of the Lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** The identity of this replica. Must be unique among all candidates. @default the host name, '_' and a UUID */
  readonly identity?: string;
  /** A custom lock, instead of a Lease of the API server. @default a Lease */
  readonly lock?: LeaseLock;
  /** The time after the end of its lease during which a leader that could not renew still counts as healthy. @default '20s' */
  readonly healthTolerance?: Duration;
  /** Enables coordinated leader election, in which the API server selects the leader. @default the candidates decide among themselves */
  readonly coordinated?: CoordinatedElectionOptions;
}

/** The options of a leader election, completed and validated. */
export interface ResolvedLeaderElection {
  readonly name: string;
  /** May be empty with a custom lock. */
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
 * Completes the options with defaults. Throws INVALID_LEADER_ELECTION, naming the option, the problem and the fix.
 *
 * @param options the options, or only the name of the Lease
 * @param surroundings `podNamespace`: the default namespace
 */
export function resolveLeaderElection(
  options: LeaderElectionOptions | string,
  { podNamespace }: { readonly podNamespace?: string | undefined } = {},
): ResolvedLeaderElection {
  const given: LeaderElectionOptions = typeof options === 'string' ? { name: options } : options;
  const { name, lock, labels, releaseOnStop = true } = given;
  checkName(name);
  const namespace = given.namespace ?? podNamespace ?? '';
  if (lock === undefined) checkNamespace(name, namespace);
  checkLabels(name, labels);
  const identity = given.identity ?? `${hostname()}_${randomUUID()}`;
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
