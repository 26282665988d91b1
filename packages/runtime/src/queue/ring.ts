/** A first-in, first-out queue in a circular array, which grows by doubling. */
export class Ring<T> {
  #slots: (T | undefined)[] = Array.from<undefined>({ length: 16 });
  #head = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }
  /** The oldest value, without removing it. */
  get first(): T | undefined {
    return this.#slots[this.#head];
  }
  push(value: T): void {
    if (this.#size === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#size) & (this.#slots.length - 1)] = value;
    this.#size++;
  }
  /** Removes and returns the oldest value, and clears its slot for garbage collection. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const value = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#size--;
    return value;
  }
  #grow(): void {
    const slots: (T | undefined)[] = Array.from<undefined>({ length: this.#slots.length * 2 });
    for (let at = 0; at < this.#size; at++) slots[at] = this.#slots[(this.#head + at) & (this.#slots.length - 1)];
    this.#slots = slots;
    this.#head = 0;
  }
}
