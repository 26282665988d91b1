import type { IndexValues } from './index-declaration.js';

/** Indexes objects by values that a function computes. Removes a value that has no objects. */
export class ObjectIndex<T> {
  readonly values: IndexValues<T>;
  readonly #objects = new Map<string, Set<T>>();
  readonly #onError: (error: unknown, object: T) => void;

  /** If `values` throws for an object, the index reports the error and does not contain the object. */
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

  /** Removes an added object, by identity. */
  remove(object: T): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#objects.get(value);
      if (objects?.delete(object) && objects.size === 0) this.#objects.delete(value);
    }
  }

  /** Returns whether the index values of the object include the value. */
  matches(object: T, value: string): boolean {
    return this.#valuesOf(object).includes(value);
  }

  get(value: string): ReadonlySet<T> | undefined {
    return this.#objects.get(value);
  }

  /** Returns the values that have objects. */
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
