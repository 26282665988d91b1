import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath } from './json-shape.js';

/** An error and the value that is at fault for it. */
export interface Finding {
  readonly error: FieldError;
  readonly place: Place;
}

/** The errors of one schema over one value, and how much of it fitted: the alternative that fits most explains an `anyOf`. */
export class Findings {
  readonly #all: Finding[] = [];
  #mayRepeat = false;
  /** How many checks were made and passed. */
  matched = 0;

  get valid(): boolean {
    return this.#all.length === 0;
  }

  /** `place` is where the value is that is at fault. */
  add(error: FieldError, place: Place): void {
    this.#all.push({ error, place });
  }

  /** Reports that two places may have one name, or one place several schemas, so that an error may be found twice. */
  expectRepetitions(): void {
    this.#mayRepeat = true;
  }

  /** Adds the findings of an alternative. `place`, if given, is the value that is at fault for all of them. */
  merge(other: Findings, place?: Place): void {
    for (const finding of other.#all) this.#all.push(place === undefined ? finding : { error: finding.error, place });
    this.matched += other.matched;
    this.expectRepetitions();
  }

  /** Returns each error once, in the order in which the errors were found. */
  distinct(): readonly Finding[] {
    if (!this.#mayRepeat) return this.#all;
    const messages = new Map<string, string | Set<string>>();
    return this.#all.filter(({ error: { field, message } }) => {
      const known = messages.get(field);
      if (known === undefined) messages.set(field, message);
      else if (typeof known !== 'string') return known.size < known.add(message).size;
      else if (known === message) return false;
      else messages.set(field, new Set([known, message]));
      return true;
    });
  }
}

/** Where the validated value is: `root` is the field of the whole value, `name` the path within it, which texts carry. */
export interface Place {
  readonly root: string;
  readonly name: string;
  /** The key or the index of the value, and the place of the object or list that contains it. */
  readonly key?: string | number;
  readonly around?: Place;
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
