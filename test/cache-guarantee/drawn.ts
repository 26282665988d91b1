import { randomNumbers } from '@kubewright/testing';

/** Values that follow from a seed. Each consumer takes a stream of its own, so that one more draw of one does not change the others. */
export class Drawn {
  readonly #random: () => number;

  constructor(seed: string) {
    this.#random = randomNumbers(seed);
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }
  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#random() < probability;
  }
  /** One of the values, each with the same probability. */
  oneOf<const T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
  /** The values that are drawn, each with this probability, in order. */
  some<T>(values: readonly T[], probability: number): T[] {
    return values.filter(() => this.chance(probability));
  }
}
