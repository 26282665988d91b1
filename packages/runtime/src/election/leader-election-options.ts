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

/** How much longer than a retry period a wait may be; so that candidates do not all ask at once. */
export const JITTER = 1.2;

/** How one of several replicas is made the leader. What is not said is as with client-go, whose candidates can contend too. */
export interface LeaderElectionOptions {
  /** Name of the Lease, the same for all replicas and for nobody else. */
  readonly name: string;
  /** Namespace of the Lease. @default that of the Pod; an error outside of one */
  readonly namespace?: string;
  /**
   * For how long nobody else may lead after the last renewal that they saw: whole seconds, longer than `renewDeadline`. A leader that
   * dies without a word is succeeded after this time. @default '15s'
   */
  readonly duration?: Duration;
  /** How long a leader tries to renew before it gives up; longer than 1.2 × `retryPeriod`. @default '10s' */
  readonly renewDeadline?: Duration;
  /**
   * How often a leader renews, and others look, these with a jitter of up to 1.2 of it more. Over '1s' where candidates of client-go
   * contend too: they tell renewals apart by the second, and would count the lease from an earlier one. @default '2s'
   */
  readonly retryPeriod?: Duration;
  /**
   * Empties the Lease when the manager has stopped all that needs to lead, so that the next leader need not wait for it to end.
   * @default true
   */
  readonly releaseOnStop?: boolean;
  /** Labels of the Lease. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Who this replica is: of all that contend, no two may have the same. @default the host name, '_' and a UUID */
  readonly identity?: string;
  /** Where to see who leads, in place of a Lease of the API server. @default that Lease */
  readonly lock?: LeaseLock;
  /** For how long after the end of its lease a leader that could not renew still counts as healthy. @default '20s' */
  readonly healthTolerance?: Duration;
  /** Lets the API server choose the leader, where it can: see there. @default candidates decide among themselves */
  readonly coordinated?: CoordinatedElectionOptions;
}

/** The same, complete and checked. */
export interface ResolvedLeaderElection {
  readonly name: string;
  /** Empty with a lock of one's own. */
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
 * Fills in defaults. Throws INVALID_LEADER_ELECTION, naming the option, what is wrong with it and what to write.
 *
 * @param options the name alone is enough
 * @param surroundings `podNamespace`: what the namespace is by default
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
  if (identity === '') throw invalid(name, 'identity is empty: leave it out, or give each replica another');
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
    throw invalid(name, `duration is '${duration}': a Lease counts in whole seconds, and at least one`);
  }
  if (retryPeriodMs <= 0) throw invalid(name, `retryPeriod is '${retryPeriod}': it must be above 0`);
  if (leaseDurationMs <= renewDeadlineMs) {
    throw invalid(
      name,
      `duration is '${duration}' and renewDeadline '${renewDeadline}': a leader must give up before others may take over; make duration the longer one`,
    );
  }
  if (renewDeadlineMs <= JITTER * retryPeriodMs) {
    throw invalid(
      name,
      `renewDeadline is '${renewDeadline}' and retryPeriod '${retryPeriod}': a leader must have time to try again; make renewDeadline longer than ${JITTER} × retryPeriod`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs, healthToleranceMs: durationMs(healthTolerance) };
}

function checkName(name: string): void {
  const [error] = dns1123SubdomainErrors(name);
  if (error !== undefined) throw invalid(name, `name is not that of a Lease: ${error}`);
}
function checkNamespace(name: string, namespace: string): void {
  if (namespace === '') {
    throw invalid(
      name,
      'this process is not in a Pod: say in which namespace the Lease is, by the option leaderElection.namespace or the flag --leader-election-namespace',
    );
  }
  const [error] = dns1123LabelErrors(namespace);
  if (error !== undefined) throw invalid(name, `namespace '${namespace}' is none: ${error}`);
}
function checkLabels(name: string, labels: Readonly<Record<string, string>> = {}): void {
  for (const [key, value] of Object.entries(labels)) {
    const [error] = [...qualifiedNameErrors(key), ...labelValueErrors(value)];
    if (error !== undefined) throw invalid(name, `label '${key}=${value}' is none: ${error}`);
  }
}
