/**
 * A first-in, first-out queue in a circular array. If the array is full, its size is doubled. Each value has a number, by which a value can
 * be removed before its turn.
 */
export class Ring<T> {
  #slots: (T | undefined)[] = Array.from<undefined>({ length: 16 });
  /** The number of the oldest value. The value with the number n is in the slot n modulo the number of slots. */
  #head = 0;
  /** The number of the next value. */
  #tail = 0;

  /** The number of values that fit into the current array. */
  get capacity(): number {
    return this.#slots.length;
  }
  /** The oldest value that was not removed. Does not remove the value. */
  get first(): T | undefined {
    const slots = this.#slots;
    while (this.#head < this.#tail) {
      const value = slots[this.#head & (slots.length - 1)];
      if (value !== undefined) return value;
      this.#head++;
    }
    return undefined;
  }
  /** Adds a value. Returns the number of the value. */
  push(value: T): number {
    if (this.#tail - this.#head === this.#slots.length) this.#grow();
    this.#slots[this.#tail & (this.#slots.length - 1)] = value;
    return this.#tail++;
  }
  /** Removes and returns the oldest value. Clears the slot, so that the value can be garbage-collected. */
  shift(): T | undefined {
    const value = this.first;
    if (value !== undefined) this.remove(this.#head++);
    return value;
  }
  /** Removes the value with this number. The number must be the number of a value in the ring. */
  remove(number: number): void {
    this.#slots[number & (this.#slots.length - 1)] = undefined;
  }
  #grow(): void {
    const { length } = this.#slots;
    const slots: (T | undefined)[] = Array.from<undefined>({ length: length * 2 });
    for (let at = this.#head; at < this.#tail; at++) slots[at & (length * 2 - 1)] = this.#slots[at & (length - 1)];
    this.#slots = slots;
  }
}
