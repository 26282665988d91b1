import type { IndexValues } from './index-declaration.js';

/** Finds objects by the values that a function returns for them. */
export class ObjectIndex<T> {
  readonly values: IndexValues<T>;
  readonly #objects = new Map<string, Set<T>>();
  readonly #onError: (error: unknown, object: T) => void;

  /** If `values` throws for an object, the index does not contain this object, and the error is passed to `onError`. */
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

  /** Removes an object. Requires the same instance that was added. */
  remove(object: T): void {
    for (const value of this.#valuesOf(object)) {
      const objects = this.#objects.get(value);
      if (objects?.delete(object) && objects.size === 0) this.#objects.delete(value);
    }
  }

  /** Returns whether the function returns this value for the object. */
  matches(object: T, value: string): boolean {
    return this.#valuesOf(object).includes(value);
  }

  get(value: string): ReadonlySet<T> | undefined {
    return this.#objects.get(value);
  }

  /** Returns all values for which the index contains an object. */
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
