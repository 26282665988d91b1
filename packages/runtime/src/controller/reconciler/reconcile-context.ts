import type { Logger } from '../../log/logger.js';
import type { Cause } from '../../queue/cause.js';

/** The context that `reconcile` and `finalize` receive in addition to the object. */
export interface ReconcileContext {
  /** A logger with the controller, the object, the causes and the id of this reconcile as fields. */
  readonly log: Logger;
  /** Aborted when the operator stops, when the operator loses its Lease, or when the time limit of the reconcile expires. */
  readonly signal: AbortSignal;
  /**
   * What triggered the reconcile. Contains at most eight causes, and equal causes only once. For information only: reconciles must not
   * depend on causes.
   */
  readonly causes: readonly Cause[];
  /** The number of this attempt: 1 plus the number of consecutive failed runs before this run. */
  readonly attempt: number;
}
