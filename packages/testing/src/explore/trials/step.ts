/**
 * One step of a history.
 * - `declare`: a user creates the object, or replaces its spec. With `other`, this is another object of the same kind.
 * - `delete`: a user deletes the object.
 * - `stop` and `start`: the operator stops, and starts again. Between the two steps, the operator does not observe changes.
 * - `restart`: the operator stops and starts at once.
 * - `edit-child` and `delete-child`: a stranger edits or deletes an object that the operator wrote, such as 'ConfigMap default/subject'.
 * - `plant`: a stranger creates a copy of each child. The copies have the labels of the children, and no owner.
 * - `remove-object`, `restore-object` and `edit-object`: a user deletes, recreates or edits one of the objects that exist before a trial
 *   starts.
 *
 * After each step except `stop`, the trial waits until the operator has converged. If `immediately` is true, the next step follows at once.
 * If `forSeconds` is set, the next step follows after this time.
 */
export type Step =
  | {
      readonly action: 'declare';
      readonly spec: unknown;
      readonly other?: boolean;
      readonly immediately?: boolean;
      readonly forSeconds?: number;
    }
  | { readonly action: 'delete'; readonly other?: boolean; readonly immediately?: boolean }
  | { readonly action: 'stop' | 'start' | 'restart' | 'plant' }
  | {
      readonly action: 'edit-child' | 'delete-child' | 'remove-object' | 'restore-object' | 'edit-object';
      readonly object: string;
    };

/** Whether the next step follows at once. */
export function isImmediate(step: Step): boolean {
  return 'immediately' in step && (step.immediately ?? false);
}

/** Whether the step concerns another object of the same kind. */
export function isOther(step: Step): boolean {
  return 'other' in step && (step.other ?? false);
}

/** The time in seconds after which the next step follows. Undefined if the step does not set `forSeconds`. */
export function secondsOf(step: Step): number | undefined {
  return 'forSeconds' in step ? step.forSeconds : undefined;
}

/** Whether the trial waits for convergence after this step. */
export function converges(step: Step): boolean {
  return step.action !== 'stop' && !isImmediate(step) && secondsOf(step) === undefined;
}

/** Returns the step that creates the object, or replaces its spec. */
export function declare(
  spec: unknown,
  after: { readonly immediately?: boolean; readonly forSeconds?: number } = {},
): Step {
  return { action: 'declare', spec, ...after };
}
