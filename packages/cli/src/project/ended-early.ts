/**
 * What is said of a program that ended before its manager could be looked at.
 * @param end such as 'with exit code 3'
 */
export function endedEarly(end: string): string {
  return `its program ended ${end} before it called manager.start(); look for what it needs, such as variables and files, in a hook or a runnable of the manager`;
}
