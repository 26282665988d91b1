/** Whether the tests run the numbers of trials that take many minutes. */
export const isThorough = process.env['KUBEWRIGHT_EXPLORE_ALL'] === '1';

/** Returns the small number of trials, or the full number if KUBEWRIGHT_EXPLORE_ALL is 1. The numbers do not depend on the machine. */
export function trialsOf(small: number, full: number): number {
  return isThorough ? full : small;
}
