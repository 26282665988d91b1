import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { qualifiedNameErrors } from '@kubewright/api/names';
import type { ReconcileContext } from './reconcile-context.js';
import type { Result } from './result.js';

/**
 * A cleanup step before the deletion of an object. `Result.done()` removes the finalizer. Any other result keeps the finalizer, and the
 * controller calls the handler again.
 */
export type FinalizerHandler<T extends KubeObject> = (object: T, context: ReconcileContext) => Promise<Result>;

/**
 * Several cleanup steps before the deletion of an object, each with its own finalizer. The object then shows which steps remain, and each
 * step completes once. A reconciler declares the steps in its field `finalizers`:
 *
 * - One write adds all missing finalizers to an object before its first reconcile.
 * - When an object is being deleted, the handlers of its finalizers run in the order in which they were added, followed by `finalize`, if
 *   defined. One write removes the finalizers whose handlers returned `Result.done()`, even if other handlers failed.
 * - Of the other results, `Result.requeue()` precedes delays, and the shortest delay precedes longer delays.
 * - A single error is thrown unchanged. Several errors are combined into an error with the code FINALIZERS_FAILED, whose `cause` is an
 *   `AggregateError` of them.
 *
 * @example
 * class VirtualMachineController implements Reconciler<VirtualMachine> {
 *   readonly finalizers = new Finalizers<VirtualMachine>()
 *     .add('cloud.example.com/disks', (vm) => this.#removeDisks(vm))
 *     .add('cloud.example.com/address', (vm) => this.#giveAddressBack(vm));
 * }
 */
export class Finalizers<T extends KubeObject> implements Iterable<FinalizerStep> {
  readonly #handlers = new Map<string, FinalizerHandler<KubeObject>>();

  /**
   * Adds a finalizer. `name` is the entry in the `metadata.finalizers` of objects and has the form `group/name`. Throws DUPLICATE_FINALIZER
   * if the name is already present, and INVALID_FINALIZER for a name that the server would refuse.
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

  /** The steps, in the order in which they were added. */
  *[Symbol.iterator](): Iterator<FinalizerStep> {
    for (const [name, run] of this.#handlers) yield { name, run };
  }
}

/** One finalizer and its handler. */
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
