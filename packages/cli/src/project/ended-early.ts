/**
 * Returns the error message for a program that ended before it started its manager.
 * @param end such as 'with exit code 3'
 */
export function endedEarly(end: string): string {
  return `the program ended ${end} before it called manager.start(); access variables, files and services in a hook or a runnable of the manager`;
}

/**
 * Returns the error message for a program that has no pending work and started no manager.
 * @param isLoaded whether the program reached its last line
 */
export function nothingStarted(isLoaded: boolean): string {
  return isLoaded
    ? 'the program ended without a call to manager.start(); call it in src/main.ts'
    : 'the program waits at the top level of a module and does not call manager.start(); remove the top-level await of a promise that never settles';
}

/**
 * Returns the advice for an error that a program throws before it calls manager.start(); '' for errors that indicate a defect in the code.
 */
export function lateCure(error: unknown): string {
  const isProblem = [TypeError, ReferenceError, SyntaxError, RangeError].some((each) => error instanceof each);
  if (!(error instanceof Error) || isProblem || error.name === 'KubewrightError') return '';
  return '; the CLI runs the program up to manager.start() to read its declarations: access variables, files and services in a hook or a runnable of the manager';
}
