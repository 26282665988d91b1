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
