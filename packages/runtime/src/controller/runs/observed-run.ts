import type { Cause } from '../../queue/cause.js';

/** The start or the end of one reconcile, for tools that observe the controllers of a manager. */
export interface ObservedRun {
  readonly phase: 'started' | 'ended';
  /** The name of the controller. */
  readonly controller: string;
  /** The kind of the reconciled object. */
  readonly kind: string;
  /** The key of the reconciled object, such as 'default/a'. */
  readonly object: string;
  /** Why the reconcile runs. */
  readonly causes: readonly Cause[];
  /**
   * The result of a reconcile that has ended: 'success', 'requeue', 'requeue_after', 'error', 'conflict', 'forgotten', 'paused' or
   * 'stopped'. Undefined at the start.
   */
  readonly outcome?: string;
}
