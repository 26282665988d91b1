/**
 * Returns the error message for a program that exited before the program called `manager.start()`.
 * @param end how the program exited, such as 'with exit code 3'
 */
export function endedEarly(end: string): string {
  return `the program ended ${end} before it called manager.start(); access variables, files and services in a hook or a runnable of the manager`;
}

/**
 * Returns the error message for a program that has no pending work and did not call `manager.start()`.
 * @param isLoaded whether the main module was evaluated to the end
 */
export function nothingStarted(isLoaded: boolean): string {
  return isLoaded
    ? 'the program ended without a call to manager.start(); call manager.start() in src/main.ts'
    : 'the program waits at the top level of a module and does not call manager.start(); remove the top-level await of a promise that never settles';
}

/**
 * Returns a suggestion for an error that a program throws before it calls `manager.start()`. Returns '' for a KubewrightError and for
 * errors such as a TypeError, which indicate a bug in the program.
 */
export function lateImportRemedy(error: unknown): string {
  const isProblem = [TypeError, ReferenceError, SyntaxError, RangeError].some((each) => error instanceof each);
  if (!(error instanceof Error) || isProblem || error.name === 'KubewrightError') return '';
  return '; the CLI runs the program up to manager.start() to read its declarations: access variables, files and services in a hook or a runnable of the manager';
}
