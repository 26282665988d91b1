/** Why an object is reconciled. For people and logs; do not branch on it. */
export interface Cause {
  readonly kind: CauseKind;
  /** The object that changed, where it is another one: 'Deployment default/web'. */
  readonly source?: string;
  /** What differs, such as 'spec.image'; the first few only. */
  readonly changedPaths?: readonly string[];
  /** Of a retry: which attempt it is, from 2 on. */
  readonly attempt?: number;
}
/**
 * 'added', 'modified' and 'deleted' tell of the object itself, 'owned' and 'watched' of another one; 'requeue' of a result, 'retry' of
 * an error, 'conflict' of somebody else who wrote meanwhile, 'every' of the period, 'resumed' of the end of a pause, and 'manual' of
 * `enqueue`.
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
