import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';

/** The number of schemas that are checked between two breaks. */
const SCHEMAS_PER_STEP = 64;
/** The maximum number of collected errors. A response lists 1000 errors, and one more error shows that the list is incomplete. */
const MOST_ERRORS = 1001;

/** Collects the first errors of a check that visits many schemas in steps. */
export class ErrorList {
  readonly errors: FieldError[] = [];
  #visited = 0;

  add(...lists: readonly (readonly FieldError[])[]): void {
    for (const list of lists) {
      if (list.length > 0) append(this.errors, list.slice(0, MOST_ERRORS - this.errors.length));
    }
  }

  /** Counts a schema. Returns whether the check must yield before it checks this schema. */
  isBreakDue(): boolean {
    this.#visited += 1;
    return this.#visited % SCHEMAS_PER_STEP === 0;
  }
}
