/** Measurements of the operator of a soak. */
export interface Sample {
  /** Heap in use after a garbage collection. */
  readonly heapBytes: number;
  /** Number of reconciles that have ended. */
  readonly runs: number;
  /** Number of reconciles that failed. */
  readonly errors: number;
  readonly waiting: number;
}
