import type { WebhooksOptions } from './webhooks/webhooks-options.js';

/**
 * A function that `manager.start` calls with the manager before the manager starts. With this function, tools read the declarations of an
 * operator: a tool sets the function as `globalThis[INSPECTION]` before it imports the module of the operator. If the function returns a
 * promise, the manager starts when the promise resolves, with the returned options. Otherwise, the manager does not start.
 */
export interface Inspection {
  (manager: object): Promise<StartOptions | void> | undefined | void;
}

/** The options of a tool for the start of an inspected manager. */
export interface StartOptions {
  /** Replaces the options of the webhook server, and enables the server. @default the options of the manager */
  readonly webhooks?: WebhooksOptions;
}

/** The property of `globalThis` that contains the inspection. The symbol is the same in every copy of this package. */
export const INSPECTION: unique symbol = Symbol.for('kubewright.inspection') as never;

/**
 * Returns the registered inspection. Returns undefined if none is registered. The returned function returns a promise that resolves when
 * the manager may start. The promise never resolves if the inspection does not return a promise.
 */
export function inspectionOf(scope: object): ((manager: object) => Promise<StartOptions | void>) | undefined {
  const inspection = (scope as { readonly [INSPECTION]?: unknown })[INSPECTION];
  if (typeof inspection !== 'function') return undefined;
  return (manager) => {
    const answer = (inspection as Inspection)(manager);
    return answer instanceof Promise ? answer : new Promise(() => undefined);
  };
}
