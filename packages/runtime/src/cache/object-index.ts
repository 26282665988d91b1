import type { IndexValues } from './index-declaration.js';

/** Objects by a value that is computed from them. A value under which nothing is left is forgotten. */
export class ObjectIndex<T> {
  readonly values: IndexValues<T>;
  readonly #objects = new Map<string, Set<T>>();
  readonly #onError: (error: unknown, object: T) => void;

  /** An object on which `values` throws is reported, and is in the index under no value. */
  constructor(values: IndexValues<T>, onError: (error: unknown, object: T) => void) {
    this.values = values;
    this.#onError = onError;
  }

  add(object: T): void {
    for (const value of this.#valuesOf(object, true)) {
      const objects = this.#objects.get(value);
      if (objects === undefined) this.#objects.set(value, new Set([object]));
      else objects.add(object);
    }
  }

  /** Takes out an object that was added, by identity. */
  remove(object: T): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#objects.get(value);
      if (objects?.delete(object) && objects.size === 0) this.#objects.delete(value);
    }
  }

  /** Whether this index holds such an object under the value. */
  matches(object: T, value: string): boolean {
    return this.#valuesOf(object).includes(value);
  }

  get(value: string): ReadonlySet<T> | undefined {
    return this.#objects.get(value);
  }

  /** The values under which there are objects. */
  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  #valuesOf(object: T, report = false): readonly string[] {
    try {
      const value = this.values(object);
      if (value === undefined) return [];
      return typeof value === 'string' ? [value] : value;
    } catch (error) {
      if (report) this.#onError(error, object);
      return [];
    }
  }
}
