import { currentScope } from '@kubewright/runtime/internal';

/** Returns the name of a reconcile, as `Manager.pending` names it. */
export function runName(controller: string, object: string): string {
  return `reconcile ${controller} ${object}`;
}

/** Returns the name of the reconcile that calls this function. Returns undefined outside of a reconcile. */
export function currentRun(): string | undefined {
  const scope = currentScope();
  return scope?.object === undefined ? undefined : runName(scope.controller, scope.object);
}
