import type { Logger } from '../../log/logger.js';
import type { Cause } from '../../queue/cause.js';

/** The context of a reconcile. */
export interface ReconcileContext {
  /** A logger with the controller, the object, the causes and the id of this reconcile as fields. */
  readonly log: Logger;
  /** Aborted when the operator stops, loses its Lease, or the time limit expires. */
  readonly signal: AbortSignal;
  /** The causes of the reconcile: at most eight, with equal causes merged. Informational only; do not branch on them. */
  readonly causes: readonly Cause[];
  /** The number of the attempt: 1 plus the number of consecutive failed runs before this run. */
  readonly attempt: number;
}
