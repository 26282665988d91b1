/** The Lease for which the operators contend, in the namespace default. */
export const LEASE = 'handover';

/** Short, so that much happens. A leader sends its last write at least 600 ms before another can lead. */
export const handoverTimes = { duration: '2s', renewDeadline: '800ms', retryPeriod: '150ms' } as const;

/** What an operator says of itself. */
export type OperatorReport =
  | { readonly what: 'contending' | 'blocking' }
  /** How many of its writes were refused since it no longer leads. */
  | { readonly what: 'unblocked'; readonly refused: number };
