import type { CelType } from './cel-type.js';
import type { CelValue } from './cel-value.js';

/** A value of a library type: a URL, an IP address, a quantity. */
export interface OpaqueValue {
  readonly opaqueType: CelType;
  /** Whether the value equals another value. Returns an error if the values cannot be compared. */
  equals(other: CelValue): CelValue;
  /** The size for cost computations. 1 if undefined. */
  readonly costSize?: number;
}

/** Whether a value is of a library type. */
export function isOpaque(value: CelValue): value is OpaqueValue {
  return typeof value === 'object' && value !== null && 'opaqueType' in value;
}
