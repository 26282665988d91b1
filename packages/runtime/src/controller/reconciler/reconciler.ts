import type { KubeObject } from '@kubewright/api';
import type { Finalizers } from './finalizers.js';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';

/** The context of `onError`. */
export interface FailureContext extends ReconcileContext {
  /** Whether the object is not retried automatically, because the error is terminal or `maxAttempts` is reached. */
  readonly lastAttempt: boolean;
  /** Whether the error is, or was caused by, a `TerminalError`. */
  readonly terminal: boolean;
  /** The method that failed. */
  readonly during: 'reconcile' | 'finalize';
}

/** Reconciles the objects of a kind. Calls for the same object never overlap. */
export interface Reconciler<T extends KubeObject> {
  /** Reconciles an object. Not called for an object that is being deleted; `finalize` handles deletion. */
  reconcile(object: T, context: ReconcileContext): Promise<Result>;
  /**
   * Cleans up before the object is deleted. Defining this method adds a finalizer before the first reconcile. After deletion is requested,
   * the controller calls this method instead of `reconcile`. `Result.done()` removes the finalizer. Any other result keeps the finalizer,
   * and the controller calls the method again.
   */
  finalize?(object: T, context: ReconcileContext): Promise<Result>;
  /** Several cleanup steps, each with its own finalizer. `finalize` runs after them. */
  readonly finalizers?: Finalizers<T>;
  /**
   * Called after each failed run with the current object, for example to report the failure in its status. Writes use the field manager of
   * the controller, as in `reconcile`. Not called for conflicts, which are not errors, nor after the object is deleted.
   *
   * The controller always logs and counts the error, and writes the `reconcileCondition` after this call. A returned result replaces the
   * default retry: `Result.done()` waits for a change, `Result.requeueAfter('1m')` retries after that delay, `Result.requeue()` retries
   * with back-off. An error of this method is logged and does not replace the original error.
   *
   * @example
   * async onError(vm: VirtualMachine, error: unknown, { lastAttempt }: FailureContext): Promise<void> {
   *   await this.client.patchStatus(vm, { phase: lastAttempt ? 'Failed' : 'Retrying', message: String(error) });
   * }
   */
  onError?(object: T, error: unknown, context: FailureContext): Promise<Result | void>;
}
