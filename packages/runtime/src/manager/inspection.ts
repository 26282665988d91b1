/**
 * A function that `manager.start` calls with the manager before the manager starts, for tools that read the declarations of an operator.
 * The tool sets the function as `globalThis[INSPECTION]` before it imports the module of the operator. If the function returns a promise,
 * the manager starts when the promise resolves. Otherwise the manager does not start.
 */
export interface Inspection {
  (manager: object): Promise<void> | undefined | void;
}

/** The property of `globalThis` that holds the inspection. Every copy of this package uses the same symbol. */
export const INSPECTION: unique symbol = Symbol.for('kubewright.inspection') as never;

/** Returns the registered inspection, or undefined if there is none. The returned promise resolves when the manager may start. */
export function inspectionOf(scope: object): ((manager: object) => Promise<unknown>) | undefined {
  const inspection = (scope as { readonly [INSPECTION]?: unknown })[INSPECTION];
  if (typeof inspection !== 'function') return undefined;
  return (manager) => {
    const answer: unknown = (inspection as Inspection)(manager);
    return answer instanceof Promise ? answer : new Promise(() => undefined);
  };
}
