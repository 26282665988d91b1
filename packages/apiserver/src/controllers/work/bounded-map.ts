/** A map with a maximum size. If the map is full, `set` removes the entry that was set least recently. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #size: number;

  /** @param size the maximum number of entries */
  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#size) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
