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

/** The inspection that was asked for; undefined in an operator that is to run. */
export function inspectionOf(scope: object): Inspection | undefined {
  const inspection = (scope as { readonly [INSPECTION]?: unknown })[INSPECTION];
  return typeof inspection === 'function' ? (inspection as Inspection) : undefined;
}
