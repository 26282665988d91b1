/** The number of values that a generator visits in one step. */
const valuesPerStep = 1000;

/**
 * Counts the values that a generator visits at all levels of an object, so that the generator yields after every 1,000 values.
 * @example for (const item of list) { visit(item); if (breaks.isDue()) yield; }
 */
export class Breaks {
  #left = valuesPerStep;

  /** Counts a value. Returns whether the generator must yield now: true for every 1,000th value. */
  isDue(): boolean {
    this.#left -= 1;
    if (this.#left > 0) return false;
    this.#left = valuesPerStep;
    return true;
  }
}
