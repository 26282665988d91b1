/** The reason for a reconcile, for people and logs. Reconcilers must not depend on it. */
export interface Cause {
  readonly kind: CauseKind;
  /** The changed object, if it is a different object: 'Deployment default/web'. */
  readonly source?: string;
  /** The paths of the changed fields, such as 'spec.image'; only the first few. */
  readonly changedPaths?: readonly string[];
  /** The number of the attempt of a retry, from 2. */
  readonly attempt?: number;
}
/**
 * The kind of a cause. 'added', 'modified' and 'deleted' are events of the object itself; 'owned' and 'watched' are events of another
 * object. 'requeue' follows a result, 'retry' an error, and 'conflict' a conflict with another writer. 'every' is the periodic reconcile,
 * 'resumed' the end of a pause, and 'manual' a call of `enqueue`.
 */
export type CauseKind =
  | 'added'
  | 'modified'
  | 'deleted'
  | 'owned'
  | 'watched'
  | 'requeue'
  | 'retry'
  | 'conflict'
  | 'every'
  | 'resumed'
  | 'manual';
