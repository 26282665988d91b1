import { CelError, NO_OVERLOAD } from './cel-error.js';
import { CelDuration, CelTimestamp } from './cel-time.js';
import { CelList, CelMap, CelOptional, CelTypeValue, CelUint, type CelValue, isOpaque } from './cel-value.js';

/**
 * Returns whether two values are equal, or a `CelError` if the values cannot be compared. Values of different types are not equal, except
 * for numbers, which are compared by numeric value.
 */
export function equal(a: CelValue, b: CelValue): CelValue {
  if (a === null || b === null) return a === b;
  if (a instanceof CelError) return a;
  if (b instanceof CelError) return b;
  if (typeof a === 'string' || typeof a === 'boolean') return a === b;
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0;
  if (a instanceof CelMap || a instanceof CelList) return a.equals(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelOptional) return optionalsEqual(a, b);
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  return isOpaque(a) ? a.equals(b) : NO_OVERLOAD;
}

function optionalsEqual(a: CelOptional, b: CelValue): CelValue {
  if (!(b instanceof CelOptional)) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

type Numeric = bigint | number | CelUint;

/** Whether a value is an int, a uint or a double. */
export function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint;
}

/** Whether the type of the value is ordered. */
export function isComparable(value: CelValue): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    isNumeric(value) ||
    value instanceof Uint8Array ||
    value instanceof CelTimestamp ||
    value instanceof CelDuration
  );
}

/** Compares two values. Returns a negative number, 0 or a positive number, or an error if the values are not ordered. */
export function compare(a: CelValue, b: CelValue): number | CelError {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (isNumeric(a) && isNumeric(b)) {
    if (Number.isNaN(a) || Number.isNaN(b)) return new CelError('NaN values cannot be ordered');
    return compareNumbers(a, b);
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return order(a.nanos, b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return order(a.nanos, b.nanos);
  return NO_OVERLOAD;
}

// JavaScript compares bigint and number exactly by numeric value.
function compareNumbers(a: Numeric, b: Numeric): number {
  const left = a instanceof CelUint ? a.value : a;
  const right = b instanceof CelUint ? b.value : b;
  if (Number.isNaN(left) || Number.isNaN(right)) return 1;
  return order(left, right);
}

function order(a: bigint | number, b: bigint | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares texts by code points. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    // Surrogates sort after all other code units, because they encode characters above U+FFFF.
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
