import type { LeaseSpec } from '@kubewright/api/coordination/v1';

/** The leader record of a Lease. Times have the format of the server, with microseconds, and are never compared with a clock. */
export interface LeaseRecord {
  /** Empty if no candidate leads. */
  readonly holderIdentity: string;
  /**
   * The time during which other candidates do not take the lease, in seconds. Candidates measure it from their observation of the last
   * change.
   */
  readonly leaseDurationSeconds: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** The number of changes of the holder. */
  readonly leaderTransitions: number;
  /** The strategy of coordinated election, if any. */
  readonly strategy?: string;
  /** The candidate that the server prefers. If set, the term of the holder ends. */
  readonly preferredHolder?: string;
}

/** Returns the record of a Lease spec. Missing fields become empty or 0. */
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

/** Returns the Lease spec of a record, with the fields of client-go. */
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
