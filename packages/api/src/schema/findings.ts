import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath } from './json-shape.js';

/** The errors of one schema over one value, and how much of it fitted: the alternative that fits most explains an `anyOf`. */
export class Findings {
  readonly errors: FieldError[] = [];
  readonly #places = new Map<FieldError, string>();
  /** Field and message of each error. */
  readonly #known = new Set<string>();
  /** How many checks were made and passed. */
  matched = 0;

  get valid(): boolean {
    return this.errors.length === 0;
  }

  /** `place` is where the value is that is at fault, if it is not the field of the error. */
  add(error: FieldError, place?: Place): void {
    const known = `${error.field}\0${error.message}`;
    if (this.#known.has(known)) return;
    this.#known.add(known);
    this.errors.push(error);
    if (place !== undefined) this.#places.set(error, fieldAt(place));
  }

  /** `place`, if given, is the value that is at fault for all of them. */
  merge(other: Findings, place?: Place): void {
    for (const error of other.errors) {
      this.add(error, place);
      const known = other.#places.get(error);
      if (place === undefined && known !== undefined) this.#places.set(error, known);
    }
    this.matched += other.matched;
  }

  /** The field of the value that is at fault for an error. */
  placeOf(error: FieldError): string {
    return this.#places.get(error) ?? error.field;
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
