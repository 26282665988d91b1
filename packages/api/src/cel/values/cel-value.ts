import type { CelDuration, CelTimestamp } from './cel-time.js';
import type { CelList, CelMap } from './collections.js';
import type { CelError } from './cel-error.js';
import type { CelType } from './cel-type.js';
import type { OpaqueValue } from './opaque-value.js';

/** An unsigned 64-bit number. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A value or none. */
export class CelOptional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value, which `type(x)` gives. */
export class CelTypeValue {
  readonly name: string;

  constructor(type: CelType | string) {
    this.name = typeof type === 'string' ? type : type.name;
  }
}

/**
 * What an expression has as its value: null, a boolean, an int (bigint of 64 bits), a double (number), a string, bytes, or
 * one of the classes. Errors are values, too, because && and || and the macros made of them may outvote them.
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
