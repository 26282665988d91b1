/** The queue options that were renamed after version 0.1: the new name by the old name. */
export const RENAMED_QUEUE_OPTIONS: ReadonlyMap<string, string> = new Map([['patience', 'starvationLimit']]);

/** Returns an error message for the old name of an option. Returns undefined for any other name. */
export function renamedOptionProblem(option: string, renamed: ReadonlyMap<string, string>): string | undefined {
  const now = renamed.get(option);
  return now === undefined ? undefined : `unknown option '${option}'; it is now '${now}'`;
}
