import type { ReconcileContext } from '@kubewright/runtime';
import { SilentLogger } from '@kubewright/runtime/internal';

/**
 * Returns a context for a manual call of `reconcile`: a silent logger, no causes, a signal that is never aborted, and the first attempt.
 *
 * @example
 * const result = await new MachineController(env.client).reconcile(machine, reconcileContext({ attempt: 3 }));
 */
export function reconcileContext(overrides: Partial<ReconcileContext> = {}): ReconcileContext {
  return { log: new SilentLogger(), signal: new AbortController().signal, causes: [], attempt: 1, ...overrides };
}
