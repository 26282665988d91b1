import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath } from './json-shape.js';

/** The errors of one schema over one value, and how much of it fitted: the alternative that fits most explains an `anyOf`. */
export class Findings {
  readonly errors: FieldError[] = [];
  /** How many checks were made and passed. */
  matched = 0;

  get valid(): boolean {
    return this.errors.length === 0;
  }

  add(error: FieldError): void {
    const { field, message } = error;
    if (!this.errors.some((known) => known.field === field && known.message === message)) this.errors.push(error);
  }

  merge(other: Findings): void {
    for (const error of other.errors) this.add(error);
    this.matched += other.matched;
  }
}

/** Where the validated value is: `root` is the field of the whole value, `name` the path within it, which texts carry. */
export interface Place {
  readonly root: string;
  readonly name: string;
}

/** The field of a place. */
export function fieldAt({ root, name }: Place): string {
  const trimmed = name.startsWith('.') ? name.slice(1) : name;
  if (root === '') return trimmed;
  return trimmed === '' ? root : childPath(root, trimmed);
}

/** An error about the value at a place whose text tells the place. */
export function invalidAt(place: Place, value: unknown, says: string): FieldError {
  return fieldErrors.invalid(fieldAt(place), value, `${place.name} in body ${says}`);
}

/** A value of another type or format than `type`; `actual` names what it is. */
export function wrongType(place: Place, type: string, actual: string): FieldError {
  const text = `${place.name} in body must be of type ${type}: ${JSON.stringify(actual)}`;
  return fieldErrors.typeInvalid(fieldAt(place), actual, text);
}
