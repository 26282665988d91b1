import type { Logger } from '../log/logger.js';
import type { Cause } from '../queue/cause.js';

/** What a reconcile is given beside its object. */
export interface ReconcileContext {
  /** Has the controller, the object, the causes and the id of this reconcile in its fields. */
  readonly log: Logger;
  /** Aborted when the operator stops, loses its lease, or the time limit is over. */
  readonly signal: AbortSignal;
  /** Why the object is reconciled: at most eight, equal ones merged. For people; do not branch on it. */
  readonly causes: readonly Cause[];
  /** 1 unless the runs before this one failed. */
  readonly attempt: number;
}
