/** A first-in, first-out queue in a circular array. If the array is full, its size is doubled. */
export class Ring<T> {
  #slots: (T | undefined)[] = Array.from<undefined>({ length: 16 });
  #head = 0;
  #size = 0;

  /** The number of values that fit into the current array. */
  get capacity(): number {
    return this.#slots.length;
  }
  get size(): number {
    return this.#size;
  }
  /** The oldest value. Does not remove the value. */
  get first(): T | undefined {
    return this.#slots[this.#head];
  }
  push(value: T): void {
    if (this.#size === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#size) & (this.#slots.length - 1)] = value;
    this.#size++;
  }
  /** Removes and returns the oldest value. Clears the slot, so that the value can be garbage-collected. */
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
