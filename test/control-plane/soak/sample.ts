/** Measurements of the operator of a soak test. */
export interface Sample {
  /** Heap in use after a garbage collection. */
  readonly heapBytes: number;
  /** Number of reconciles that have ended. */
  readonly runs: number;
  /** Number of reconciles that failed. */
  readonly errors: number;
  /** Number of objects that are queued or being reconciled. */
  readonly waiting: number;
}
