import type { CelValue } from './cel-value.js';

/** A list. Elements are created on access. */
export abstract class CelList {
  abstract readonly size: number;
  /** Whether only an int can be an index. Otherwise, any whole number can be an index. */
  readonly onlyInts: boolean = false;
  /** Returns the element at an index, which must be within the list. */
  abstract at(index: number): CelValue;
  /** Whether an element equals the value. Returns an error if no element equals the value and a comparison failed. */
  abstract contains(value: CelValue): CelValue;
  abstract equals(other: CelValue): CelValue;
  abstract concat(other: CelList): CelList;

  /** Iterates over the elements in order. */
  *[Symbol.iterator](): Iterator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }
}

/** A map, or an object with its fields as keys. */
export abstract class CelMap {
  abstract readonly size: number;
  /** Returns the value of a key, or undefined. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): Iterable<CelValue>;
  abstract equals(other: CelValue): CelValue;
}
