import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { qualifiedNameErrors } from '@kubewright/api/names';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';

/**
 * A cleanup step before the deletion of an object. If the handler returns `Result.done()`, the controller removes the finalizer of this
 * step. For any other result, the controller calls the handler again.
 */
export type FinalizerHandler<T extends KubeObject> = (object: T, context: ReconcileContext) => Promise<Result>;

/**
 * Several cleanup steps before the deletion of an object, each with its own finalizer. The finalizers on the object show which steps are
 * not done yet, and each step is completed only once. A reconciler declares the steps in its field `finalizers`:
 *
 * - One write adds all missing finalizers to an object before its first reconcile.
 * - When an object is being deleted, the controller calls the handlers of its finalizers in the order of `add`, followed by `finalize` if
 *   defined. One write removes the finalizers whose handlers returned `Result.done()`, even if other handlers failed.
 * - If several handlers return other results, the earliest requeue applies: `Result.requeue()`, otherwise the shortest delay.
 * - If one handler fails, the run fails with its error. If several handlers fail, the run fails with FINALIZERS_FAILED, and the `cause` is
 *   an `AggregateError` of all errors.
 *
 * @example
 * class VirtualMachineController implements Reconciler<VirtualMachine> {
 *   readonly finalizers = new Finalizers<VirtualMachine>()
 *     .add('cloud.example.com/disks', (vm) => this.#removeDisks(vm))
 *     .add('cloud.example.com/address', (vm) => this.#releaseAddress(vm));
 * }
 */
export class Finalizers<T extends KubeObject> implements Iterable<FinalizerStep> {
  readonly #handlers = new Map<string, FinalizerHandler<KubeObject>>();

  /**
   * Adds a finalizer. `name` is the entry in `metadata.finalizers` and has the form `group/name`. Throws DUPLICATE_FINALIZER if the name
   * was already added, and INVALID_FINALIZER for a name without a group or a name that the server would reject.
   */
  add(name: string, handler: FinalizerHandler<T>): this {
    const [problem] = qualifiedNameErrors(name);
    if (problem !== undefined || !name.includes('/')) {
      throw new KubewrightError(
        'INVALID_FINALIZER',
        `cannot add finalizer '${name}': ${problem ?? 'the name has no group'}; use a name such as 'cloud.example.com/disks'`,
      );
    }
    if (this.#handlers.has(name)) throw finalizerTwice(name);
    this.#handlers.set(name, handler as FinalizerHandler<KubeObject>);
    return this;
  }

  /** Iterates over the steps in the order of `add`. */
  *[Symbol.iterator](): Iterator<FinalizerStep> {
    for (const [name, run] of this.#handlers) yield { name, run };
  }
}

/** A finalizer and its handler. */
export interface FinalizerStep {
  readonly name: string;
  readonly run: FinalizerHandler<KubeObject>;
}

export function finalizerTwice(name: string, of = ''): KubewrightError {
  return new KubewrightError(
    'DUPLICATE_FINALIZER',
    `cannot add finalizer '${name}'${of}: this finalizer is already defined; use a different name for each cleanup step`,
  );
}
