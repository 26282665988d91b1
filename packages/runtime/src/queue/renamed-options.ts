/** The options of a queue that have a new name since version 0.1, with the new name. */
export const RENAMED_QUEUE_OPTIONS: ReadonlyMap<string, string> = new Map([['patience', 'starvationLimit']]);

/** Returns the error text for the old name of an option, or undefined for any other name. */
export function renamedOptionProblem(option: string, renamed: ReadonlyMap<string, string>): string | undefined {
  const now = renamed.get(option);
  return now === undefined ? undefined : `unknown option '${option}'; it is now '${now}'`;
}
