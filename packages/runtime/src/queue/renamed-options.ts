/** The options that have a new name since version 0.1, with the new name. The error for an old name states the new name. */
export const RENAMED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['patience', 'starvationLimit'],
  ['errorCondition', 'reconcileCondition'],
]);

/** Returns the error text for the old name of an option, or undefined for any other name. */
export function renamedOptionProblem(option: string): string | undefined {
  const now = RENAMED_OPTIONS.get(option);
  return now === undefined ? undefined : `unknown option '${option}'; it is now '${now}'`;
}
