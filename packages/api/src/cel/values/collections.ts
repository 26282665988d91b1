import type { CelValue } from './cel-value.js';

/** A list. Elements are made when they are asked for. */
export abstract class CelList {
  abstract readonly size: number;
  /** Whether only an int may be its index; otherwise any whole number may. */
  readonly onlyInts: boolean = false;
  /** The element; the index is within the list. */
  abstract at(index: number): CelValue;
  /** Whether an element equals the value, an error if none does and one could not be compared. */
  abstract contains(value: CelValue): CelValue;
  abstract equals(other: CelValue): CelValue;
  abstract concat(other: CelList): CelList;

  /** The elements in their order. */
  *[Symbol.iterator](): Iterator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.at(index);
  }
}

/** A map, or an object with its fields as keys. */
export abstract class CelMap {
  abstract readonly size: number;
  /** The value of a key, undefined if there is none. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): Iterable<CelValue>;
  abstract equals(other: CelValue): CelValue;
}
