/** Whether something does its work. */
export interface Readiness {
  /** Whether it does its work at this moment. */
  readonly ready: boolean;
  /** Why not, in sentences that say what to do; empty when ready. */
  readonly reasons: readonly string[];
}
