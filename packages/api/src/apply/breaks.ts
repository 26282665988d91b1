/** The number of values that a pass visits in one step. */
const valuesPerStep = 1000;

/**
 * Counts the values that a pass in steps visits at all levels of an object.
 * @example
 * for (const item of list) {
 *   visit(item);
 *   if (breaks.isDue()) yield;
 * }
 */
export class Breaks {
  #left = valuesPerStep;

  /** Counts a value. Returns whether the pass takes a break, which is after every 1,000 values. */
  isDue(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = valuesPerStep;
    return true;
  }
}
