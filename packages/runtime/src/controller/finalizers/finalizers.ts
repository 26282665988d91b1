import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { qualifiedNameErrors } from '@kubewright/api/names';
import type { ReconcileContext } from '../reconcile-context.js';
import type { Result } from '../result.js';

/** What is done before an object may go; `Result.done()` says that it is done, any other result keeps the object and calls again. */
export type FinalizerHandler<T extends KubeObject> = (object: T, context: ReconcileContext) => Promise<Result>;

/**
 * Several things to be done before an object goes, each under a finalizer of its own, so that the object shows which of them are left
 * and each is done once. A reconciler has them in its field `finalizers`:
 *
 * - All that are missing are added to an object by one write before it is reconciled.
 * - On an object that is being deleted, the handler of each that is there runs, in the order in which they were added here and then
 *   `finalize`, if there is one. Those that return `Result.done()` go from the object, by one write; nobody waits for one that failed.
 * - Of the other results `Result.requeue()` counts before delays, and of delays the shortest.
 * - One error is thrown as it is. Several become one with the code FINALIZERS_FAILED, whose `cause` is an `AggregateError` of them.
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
   * Adds one, by the name that objects bear: `group/what`. Throws FINALIZER_TWICE for a name that is there already, and
   * INVALID_FINALIZER for one that the server would refuse.
   */
  add(name: string, handler: FinalizerHandler<T>): this {
    const [mistake] = qualifiedNameErrors(name);
    if (mistake !== undefined || !name.includes('/')) {
      throw new KubewrightError(
        'INVALID_FINALIZER',
        `add the finalizer '${name}': ${mistake ?? 'it has no group'}; write one such as 'cloud.example.com/disks'`,
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

/** One finalizer, and what is done for it. */
export interface FinalizerStep {
  readonly name: string;
  readonly run: FinalizerHandler<KubeObject>;
}

export function finalizerTwice(name: string, of = ''): KubewrightError {
  return new KubewrightError(
    'FINALIZER_TWICE',
    `add the finalizer '${name}'${of}: there is one of that name already; give each thing to be done a name of its own`,
  );
}
