/** A generator of pseudo-random numbers (mulberry32). Equal seeds give equal sequences. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The generator of one request of a run: it does not depend on the requests before it. */
  static of(seed: number, index: number): Random {
    const first = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
    first.next();
    return first;
  }

  /** A number from 0 up to and without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to and without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Whether an event of the given probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}
