import type { FieldError } from '../../schema/field-error.js';

/** The fields of errors, sorted so that a search by prefix takes logarithmic time. */
export class FaultyFields {
  readonly #fields: readonly string[];

  constructor(errors: readonly FieldError[]) {
    this.#fields = errors.map(({ field }) => field).toSorted();
  }

  /** Whether any of the errors has a field that begins with the path. */
  hasWithin(path: string): boolean {
    let low = 0;
    let high = this.#fields.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#fields[middle] ?? '') < path) low = middle + 1;
      else high = middle;
    }
    return this.#fields[low]?.startsWith(path) === true;
  }
}
