import { CostExceeded } from './cel-error.js';

/** The most characters of a text that a function makes. Longer texts would exceed the cost limit of an evaluation as soon as they are read. */
const LONGEST_TEXT = 4 * 1024 * 1024;
/** The most elements of a list that a function makes. */
export const LONGEST_LIST = 256 * 1024;

/** Ends the evaluation if a text of the given length is too long to be made. */
export function checkTextLength(length: number): void {
  if (length > LONGEST_TEXT) throw new CostExceeded();
}

/** Ends the evaluation if a list of the given size is too long to be made. */
export function checkListSize(size: number): void {
  if (size > LONGEST_LIST) throw new CostExceeded();
}
