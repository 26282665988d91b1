import { CostExceeded } from './cel-error.js';

/** The maximum number of characters of a text that a function returns. The cost of reading a longer text would exceed the cost limit. */
const LONGEST_TEXT = 4 * 1024 * 1024;
/** The maximum number of elements of a list that a function returns. */
export const LONGEST_LIST = 256 * 1024;

/** Stops the evaluation with CostExceeded if a text of the given length is too long. */
export function checkTextLength(length: number): void {
  if (length > LONGEST_TEXT) throw new CostExceeded();
}

/** Stops the evaluation with CostExceeded if a list of the given size is too long. */
export function checkListSize(size: number): void {
  if (size > LONGEST_LIST) throw new CostExceeded();
}
