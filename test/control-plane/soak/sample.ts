/** How the operator of a soak fares. */
export interface Sample {
  /** The heap in use after a collection of garbage. */
  readonly heapBytes: number;
  /** Reconciles that have ended. */
  readonly runs: number;
  /** Those of them that failed. */
  readonly errors: number;
  readonly waiting: number;
}
