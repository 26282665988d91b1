import type { Manager } from './manager.js';

/**
 * What is handed the manager in place of its start: for tools that want to know what an operator declares. Set as
 * `globalThis[INSPECTION]` before the module of the operator is imported. What gives nothing back keeps the manager from starting; with
 * a promise it starts when that resolves.
 */
export interface Inspection {
  (manager: Manager): Promise<void> | undefined | void;
}

/** Where the inspection stands in `globalThis`; the same in every copy of this package. */
export const INSPECTION: unique symbol = Symbol.for('kubewright.inspection') as never;

/** The inspection that was asked for, which resolves when the operator is to start; undefined in an operator that just runs. */
export function inspectionOf(scope: object): ((manager: Manager) => Promise<unknown>) | undefined {
  const inspection = (scope as { readonly [INSPECTION]?: unknown })[INSPECTION];
  if (typeof inspection !== 'function') return undefined;
  return (manager) => {
    const answer: unknown = (inspection as Inspection)(manager);
    return answer instanceof Promise ? answer : new Promise(() => undefined);
  };
}
