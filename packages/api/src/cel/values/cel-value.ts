import type { CelDuration, CelTimestamp } from './cel-time.js';
import type { CelError } from './cel-error.js';
import type { CelType } from './cel-type.js';

/** An unsigned 64-bit number. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** An optional value. */
export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value, as returned by `type(x)`. */
export class CelTypeValue {
  readonly name: string;

  constructor(type: CelType | string) {
    this.name = typeof type === 'string' ? type : type.name;
  }
}

/** A list. The elements of a list from the object are converted when they are read. */
export abstract class CelList {
  abstract readonly size: number;
  /** Whether an index must be an int. If false, a uint and a double without a fraction are also allowed. */
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
  /**
   * Returns the value of a key. Returns undefined if the map does not contain the key, or an error if the map cannot have keys of this
   * type.
   */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): Iterable<CelValue>;
  abstract equals(other: CelValue): CelValue;
}

/** A value of a library type: a URL, an IP address, a quantity. */
export interface OpaqueValue {
  readonly opaqueType: CelType;
  /** Whether the value equals another value. Returns an error if the values cannot be compared. */
  equals(other: CelValue): CelValue;
  /** The size for cost computations. 1 if undefined. */
  readonly costSize?: number;
  /** Returns the value of a field. Undefined for types without fields. */
  readonly field?: (name: string) => CelValue;
  /** Whether a field is set. Undefined for types without fields. */
  readonly hasField?: (name: string) => CelValue;
}

/** Whether a value is of a library type. */
export function isOpaque(value: CelValue): value is OpaqueValue {
  return typeof value === 'object' && value !== null && 'opaqueType' in value;
}

/**
 * A CEL value: null, a boolean, an int (64-bit bigint), a double (number), a string, bytes, or an instance of one of the classes. Errors
 * are also values, because && and ||, and macros based on them, can ignore an error on one side.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelOptional
  | CelTypeValue
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | OpaqueValue
  | CelError;
