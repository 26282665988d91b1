/** The Lease for which the operators compete, in the namespace default. */
export const LEASE = 'handover';

/** Short durations, for many handovers. A leader sends its last write at least 600 ms before another operator can become the leader. */
export const handoverTimes = { duration: '2s', renewDeadline: '800ms', retryPeriod: '150ms' } as const;

/** A message from the process of an operator to the test. */
export type OperatorReport =
  | { readonly what: 'contending' | 'blocking' }
  /** Number of writes that were rejected because the operator is no longer the leader. */
  | { readonly what: 'unblocked'; readonly refused: number };
