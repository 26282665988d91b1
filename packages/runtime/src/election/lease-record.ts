import type { LeaseSpec } from '@kubewright/api/coordination/v1';

/** Who leads, as a Lease says it. Times are kept as the server writes them, to the microsecond; nobody compares them with a clock. */
export interface LeaseRecord {
  /** Empty when nobody leads. */
  readonly holderIdentity: string;
  /** For how long nobody else may take it, counted from the moment at which somebody saw it change. */
  readonly leaseDurationSeconds: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** How often it went from one holder to another. */
  readonly leaderTransitions: number;
  /** How the server chooses among candidates, where it does. */
  readonly strategy?: string;
  /** Whom the server would rather see: the holder's term ends. */
  readonly preferredHolder?: string;
}

/** The record in the spec of a Lease; what is not there is empty or 0. */
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

/** The spec of a Lease that says what the record says, in client-go's fields. */
export function specOf(record: LeaseRecord): LeaseSpec {
  const { leaderTransitions, ...fields } = record;
  return { ...fields, leaseTransitions: leaderTransitions };
}

/** Whether two records say the same. */
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
