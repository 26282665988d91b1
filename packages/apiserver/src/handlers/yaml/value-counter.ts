/** An error for a YAML text with more values than its reader accepts. */
export class TooManyValuesError extends Error {}

/** Counts the values of a text while the text is read. */
export class ValueCounter {
  readonly #most: number;
  #count = 0;

  /** @param most the maximum number of values */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one value. Throws a `TooManyValuesError` if there are too many. */
  add(): void {
    this.#count += 1;
    if (this.#count > this.#most) throw new TooManyValuesError();
  }
}
