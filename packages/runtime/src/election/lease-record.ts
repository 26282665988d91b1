import type { LeaseSpec } from '@kubewright/api/coordination/v1';

/** The leader record of an election. Times have the format of the API server, with microseconds, and are never compared with a clock. */
export interface LeaseRecord {
  /** The identity of the leader. Empty without a leader. */
  readonly holderIdentity: string;
  /**
   * The time in seconds for which other candidates do not take the lease. Candidates measure this time from their observation of the last
   * change.
   */
  readonly leaseDurationSeconds: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** The number of times the leader has changed. */
  readonly leaderTransitions: number;
  /** The strategy of a coordinated election. Undefined for other elections. */
  readonly strategy?: string;
  /** The candidate that the server prefers. If set, the holder must stop leading. */
  readonly preferredHolder?: string;
}

/** Returns the record in the spec of a Lease. Missing fields are empty or 0. */
export function recordOf(spec: LeaseSpec = {}): LeaseRecord {
  const { acquireTime, renewTime, strategy, preferredHolder } = spec;
  return {
    holderIdentity: spec.holderIdentity ?? '',
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    leaderTransitions: spec.leaseTransitions ?? 0,
    ...(acquireTime && { acquireTime }),
    ...(renewTime && { renewTime }),
    ...(strategy && { strategy }),
    ...(preferredHolder && { preferredHolder }),
  };
}

/** Returns the spec of a Lease for a record, with the field names of client-go. */
export function specOf(record: LeaseRecord): LeaseSpec {
  const { leaderTransitions, ...fields } = record;
  return { ...fields, leaseTransitions: leaderTransitions };
}

/** Whether two records are equal. */
export function sameRecord(one: LeaseRecord, other: LeaseRecord): boolean {
  return (
    one.holderIdentity === other.holderIdentity &&
    one.leaseDurationSeconds === other.leaseDurationSeconds &&
    one.acquireTime === other.acquireTime &&
    one.renewTime === other.renewTime &&
    one.leaderTransitions === other.leaderTransitions &&
    one.strategy === other.strategy &&
    one.preferredHolder === other.preferredHolder
  );
}
