/** Why an object is reconciled. For people and logs; do not branch on it. */
export interface Cause {
  readonly kind: 'added' | 'modified' | 'deleted' | 'owned' | 'watched' | 'requeue' | 'retry' | 'every' | 'manual';
  /** The object that changed, where it is another one: 'Deployment default/web'. */
  readonly source?: string;
  /** What differs, such as 'spec.image'; the first few only. */
  readonly changedPaths?: readonly string[];
}
