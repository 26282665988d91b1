import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath } from './json-shape.js';

/** An error and the value that causes it. */
export interface Finding {
  readonly error: FieldError;
  readonly place: Place;
}

/**
 * The errors of one schema for one value, and the number of matching checks. If no alternative of an `anyOf` or `oneOf` is valid, the
 * errors of the alternative with the most matching checks are reported.
 */
export class Findings {
  readonly #all: Finding[] = [];
  #mayRepeat = false;
  /** The number of checks that passed, plus the checks that apply to the value regardless of their results, as in the API server. */
  matched = 0;

  get valid(): boolean {
    return this.#all.length === 0;
  }

  /** Adds an error. `place` is the place of the invalid value. */
  add(error: FieldError, place: Place): void {
    this.#all.push({ error, place });
  }

  /** Records that `distinct` must search for repeated errors: two places can have the same name, or one place can have several schemas. */
  expectRepetitions(): void {
    this.#mayRepeat = true;
  }

  /** Adds the findings of an alternative. If `place` is given, it becomes the place of all added findings. */
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

/**
 * The position of a validated value. `root` is the field of the whole value. `name` is the path from the whole value to the validated
 * value, and is part of the messages.
 */
export interface Place {
  readonly root: string;
  readonly name: string;
  /** The key or the index of the value within `around`, which is the place of the containing object or list. */
  readonly key?: string | number;
  readonly around?: Place;
}

/** Returns the field of a place. */
export function fieldAt({ root, name }: Place): string {
  const trimmed = name.startsWith('.') ? name.slice(1) : name;
  if (root === '') return trimmed;
  return trimmed === '' ? root : childPath(root, trimmed);
}

/** Returns an error for the value at a place. The message contains the name of the place. */
export function invalidAt(place: Place, value: unknown, says: string): FieldError {
  return fieldErrors.invalid(fieldAt(place), value, `${place.name} in body ${says}`);
}

/**
 * Returns an error for a value that does not have the given type or format. `actual` is the actual type, or the value if the format is
 * wrong.
 */
export function wrongType(place: Place, type: string, actual: string): FieldError {
  const text = `${place.name} in body must be of type ${type}: ${JSON.stringify(actual)}`;
  return fieldErrors.typeInvalid(fieldAt(place), actual, text);
}
