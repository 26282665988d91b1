import type { KubeObject } from '@kubewright/api';
import type { Finalizers } from './finalizers.js';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';

/** The context that `onError` receives. */
export interface FailureContext extends ReconcileContext {
  /**
   * Whether this was the last attempt: the controller does not retry the object automatically, because the error is terminal or
   * `maxAttempts` is reached.
   */
  readonly lastAttempt: boolean;
  /** Whether the error or one of its causes is a `TerminalError`. */
  readonly terminal: boolean;
  /** The method that failed. */
  readonly during: 'reconcile' | 'finalize';
}

/** Reconciles the objects of a kind. The controller never makes concurrent calls for the same object. */
export interface Reconciler<T extends KubeObject> {
  /** Brings the cluster to the desired state of an object. Not called for an object that is being deleted; see `finalize`. */
  reconcile(object: T, context: ReconcileContext): Promise<Result>;
  /**
   * Cleans up before an object is deleted. If this method is defined, the controller adds a finalizer to the object before the first
   * reconcile. After a deletion is requested, the controller calls this method instead of `reconcile`. If the method returns
   * `Result.done()`, the controller removes the finalizer. For any other result, the controller keeps the finalizer and calls the method
   * again.
   */
  finalize?(object: T, context: ReconcileContext): Promise<Result>;
  /**
   * Cleanup steps that each have their own finalizer. When an object is being deleted, each run calls the handlers whose finalizers are
   * still on the object, followed by `finalize`. A step that is not done does not prevent the calls of the later steps.
   */
  readonly finalizers?: Finalizers<T>;
  /**
   * Called after each failed run with the current object, for example to report the failure in the status. As in `reconcile`, writes use
   * the field manager of the controller. Not called for conflicts, which are not errors, or if the object was deleted.
   *
   * The controller logs and counts the error, and writes the `reconcileCondition` after this call. A returned result replaces the default
   * retry: `Result.done()` waits for a change, `Result.requeueAfter('1m')` retries after that delay, `Result.requeue()` retries with
   * back-off. An error of this method is logged and does not replace the original error.
   *
   * @example
   * async onError(vm: VirtualMachine, error: unknown, { lastAttempt }: FailureContext): Promise<void> {
   *   await this.client.patchStatus(vm, { phase: lastAttempt ? 'Failed' : 'Retrying', message: String(error) });
   * }
   */
  onError?(object: T, error: unknown, context: FailureContext): Promise<Result | void>;
}
