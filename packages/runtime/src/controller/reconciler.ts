import type { KubeObject } from '@kubewright/api';
import type { Logger } from '../log/logger.js';
import type { Cause } from '../queue/cause.js';
import type { Result } from './result.js';

/** What a reconcile is given beside its object. */
export interface ReconcileContext {
  /** Has the controller, the object, the causes and the id of this reconcile in its fields. */
  readonly log: Logger;
  /** Aborted when the operator stops, loses its lease, or the time limit is over. */
  readonly signal: AbortSignal;
  readonly causes: readonly Cause[];
  /** 1 unless the runs before this one failed. */
  readonly attempt: number;
}

/** Brings the world closer to what the object asks for. Never runs twice at a time for the same object. */
export interface Reconciler<T extends KubeObject> {
  /** Not called for an object that is being deleted; that is what `finalize` is for. */
  reconcile(object: T, context: ReconcileContext): Promise<Result>;
  /**
   * Cleans up before the object goes. Having this method brings a finalizer, added before the first reconcile. Called in place of
   * `reconcile` once deletion was asked for; `Result.done()` lets the object go, any other result keeps it and calls again.
   */
  finalize?(object: T, context: ReconcileContext): Promise<Result>;
}
