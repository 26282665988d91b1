import { randomNumbers } from '@kubewright/testing';

/**
 * Generates random values from a seed. Each consumer has its own instance, so that an additional draw of one consumer does not change the
 * values of another consumer.
 */
export class RandomValues {
  readonly #random: () => number;

  constructor(seed: string) {
    this.#random = randomNumbers(seed);
  }

  /** Returns an integer from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }
  /** Returns true with this probability. */
  chance(probability: number): boolean {
    return this.#random() < probability;
  }
  /** Returns one of the values, each with the same probability. */
  oneOf<const T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
  /** Returns a random subset in order; each value is included with this probability. */
  some<T>(values: readonly T[], probability: number): T[] {
    return values.filter(() => this.chance(probability));
  }
}
