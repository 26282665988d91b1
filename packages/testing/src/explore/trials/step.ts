/**
 * One step of a history.
 * - `declare`: a user creates the object, or replaces its spec.
 * - `delete`: a user deletes the object.
 * - `stop` and `start`: the operator stops, and starts again. Between the two steps, the operator sees no change.
 * - `restart`: the operator stops and starts at once.
 *
 * After a step, the trial waits until the operator has converged, unless `immediately` is true: then the next step follows at once.
 */
export type Step =
  | { readonly action: 'declare'; readonly spec: unknown; readonly immediately?: boolean }
  | { readonly action: 'delete'; readonly immediately?: boolean }
  | { readonly action: 'stop' | 'start' | 'restart' };

/** Whether the next step follows at once. */
export function isImmediate(step: Step): boolean {
  return 'immediately' in step && (step.immediately ?? false);
}

/** Whether the trial waits for convergence after this step. */
export function converges(step: Step): boolean {
  return step.action !== 'stop' && !isImmediate(step);
}
