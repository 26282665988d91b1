import type { CelType } from './cel-type.js';
import type { CelValue } from './cel-value.js';

/** A value of a library: a URL, an address, a quantity. */
export interface OpaqueValue {
  readonly opaqueType: CelType;
  /** Whether it equals another value; an error if they cannot be compared. */
  equals(other: CelValue): CelValue;
  /** The size that counts for the cost of handling it, 1 if undefined. */
  readonly costSize?: number;
}

/** Whether a value belongs to a library. */
export function isOpaque(value: CelValue): value is OpaqueValue {
  return typeof value === 'object' && value !== null && 'opaqueType' in value;
}
