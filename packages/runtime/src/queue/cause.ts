/** Why an object is reconciled, for people and logs. Reconcilers must not depend on causes. */
export interface Cause {
  readonly kind: CauseKind;
  /** The changed object, such as 'Deployment default/web', or the source. Only for the kinds 'owned' and 'watched'. */
  readonly source?: string;
  /** The paths of the first changed fields, such as 'spec.image'. */
  readonly changedPaths?: readonly string[];
  /** The number of the attempt. Only for retries; the first retry is attempt 2. */
  readonly attempt?: number;
}
/**
 * The kind of a cause:
 * - 'added', 'modified' and 'deleted': the object itself changed
 * - 'owned': a child of the object changed
 * - 'watched': another object changed, or a source requested the reconcile
 * - 'requeue': the result of the previous reconcile requested another reconcile
 * - 'retry': the previous reconcile failed
 * - 'conflict': the previous reconcile failed with a conflict
 * - 'every': the interval of the option `every` has passed
 * - 'resumed': a pause has ended
 * - 'manual': the program called `enqueue`
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
