/** Counts the reads of values in JSON objects, at all levels. */
export class ReadCounter {
  readonly #most: number;
  #reads = 0;

  /** @param most the maximum number of reads; later reads throw a RangeError */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns a view of the value. Each read of a value in the view increments the counter. */
  of<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const views = new Map<PropertyKey, unknown>();
    return new Proxy(value, {
      get: (target, key) => {
        this.#reads += 1;
        if (this.#reads > this.#most) throw new RangeError(`more than ${this.#most} reads`);
        const found: unknown = Reflect.get(target, key);
        if (typeof found !== 'object' || found === null) return found;
        const view = views.get(key) ?? this.of(found);
        views.set(key, view);
        return view;
      },
      set: (target, key, next) => {
        views.delete(key);
        return Reflect.set(target, key, next);
      },
    });
  }
}
