/**
 * What is said of a program that ended before its manager could be looked at.
 * @param end such as 'with exit code 3'
 */
export function endedEarly(end: string): string {
  return `its program ended ${end} before it called manager.start(); look for what it needs, such as variables and files, in a hook or a runnable of the manager`;
}

/** What is said of a program that has nothing left to do and started no manager. `isLoaded`: it came to its last line. */
export function nothingStarted(isLoaded: boolean): string {
  return isLoaded
    ? 'its program ends without manager.start(); call it in src/main.ts'
    : 'its program waits at the top of a module for what never comes, before it calls manager.start(); look for an await there of a promise that nothing settles';
}

/** What is added to an error of a program that was thrown before it called manager.start(); nothing to what is plainly a mistake in its code. */
export function lateCure(error: unknown): string {
  const isMistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((each) => error instanceof each);
  if (!(error instanceof Error) || isMistake || error.name === 'KubewrightError') return '';
  return '; the program is run as far as manager.start() to know what it declares: look for what it needs, such as variables and files, in a hook or a runnable of the manager';
}
