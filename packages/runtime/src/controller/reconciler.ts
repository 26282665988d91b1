import type { KubeObject } from '@kubewright/api';
import type { Finalizers } from './finalizers/finalizers.js';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';

/** What `onError` is given beside the object and the error. */
export interface FailureContext extends ReconcileContext {
  /** Whether the object is not tried again by itself: the error is terminal, or `maxAttempts` is reached. */
  readonly lastAttempt: boolean;
  /** Whether the error is, or was caused by, a `TerminalError`. */
  readonly terminal: boolean;
  /** Which method failed. */
  readonly during: 'reconcile' | 'finalize';
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
  /** Several things to be done before the object goes, each under a finalizer of its own; `finalize` comes after them. */
  readonly finalizers?: Finalizers<T>;
  /**
   * Called after each run that failed, with the object as it is now, to say so in its status: `client` writes as the controller
   * here too. Not called for conflicts, which are no errors, nor once the object is gone. The error is logged and counted in any
   * case, and the `errorCondition` is written after this. A result that is returned replaces what becomes of the object:
   * `Result.done()` waits for a change, `Result.requeueAfter('1m')` tries then, `Result.requeue()` with back-off. What this throws
   * is logged; the error itself stands.
   *
   * @example
   * async onError(vm: VirtualMachine, error: unknown, { lastAttempt }: FailureContext): Promise<void> {
   *   await this.client.patchStatus(vm, { phase: lastAttempt ? 'Failed' : 'Retrying', message: String(error) });
   * }
   */
  onError?(object: T, error: unknown, context: FailureContext): Promise<Result | void>;
}
