/**
 * Returns the error message for a program that ended before it started its manager.
 * @param end such as 'with exit code 3'
 */
export function endedEarly(end: string): string {
  return `its program ended ${end} before it called manager.start(); look for what it needs, such as variables and files, in a hook or a runnable of the manager`;
}

/**
 * Returns the error message for a program that has no pending work and started no manager.
 * @param isLoaded whether the program reached its last line
 */
export function nothingStarted(isLoaded: boolean): string {
  return isLoaded
    ? 'its program ends without manager.start(); call it in src/main.ts'
    : 'its program waits at the top of a module for what never comes, before it calls manager.start(); look for an await there of a promise that nothing settles';
}

/**
 * Returns the advice for an error that a program throws before it calls manager.start(); '' for errors that indicate a defect in the code.
 */
export function lateCure(error: unknown): string {
  const isMistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((each) => error instanceof each);
  if (!(error instanceof Error) || isMistake || error.name === 'KubewrightError') return '';
  return '; the program is run as far as manager.start() to know what it declares: look for what it needs, such as variables and files, in a hook or a runnable of the manager';
}
