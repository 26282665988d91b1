import type { AccessRecord, Result } from '@kubewright/runtime';
import type { Write } from '@kubewright/runtime/internal';
import type { RecordedEvent } from './observed-events.js';

/** The result of one reconcile. */
export interface Reconciled<T> {
  /** The result that `reconcile` or the finalizers returned, or undefined if the reconcile threw an error. */
  readonly result: Result | undefined;
  /** The error that the reconcile threw, or undefined. */
  readonly error: unknown;
  /** The writes that the server accepted, in order. */
  readonly writes: readonly Write[];
  /** The Kubernetes events that the reconcile recorded, in order. */
  readonly events: readonly RecordedEvent[];
  /**
   * The permissions that the calls needed. The reads are live. In a manager that reads from its cache, the controller needs list and watch
   * instead of get.
   */
  readonly access: AccessRecord;
  /** The object after the reconcile. If the object was deleted, its state before the reconcile. */
  readonly object: T;
}
