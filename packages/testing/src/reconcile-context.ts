import type { ReconcileContext } from '@kubewright/runtime';
import { SilentLogger } from '@kubewright/runtime/internal';

/**
 * A context for calling `reconcile` by hand: no log, no cause, a signal that nobody aborts, the first attempt.
 *
 * @example
 * const result = await new MachineController(env.client).reconcile(machine, reconcileContext({ attempt: 3 }));
 */
export function reconcileContext(overrides: Partial<ReconcileContext> = {}): ReconcileContext {
  return { log: new SilentLogger(), signal: new AbortController().signal, causes: [], attempt: 1, ...overrides };
}
