import { CelError, NO_OVERLOAD, noOverload } from '../values/cel-error.js';
import { CelDuration, CelTimestamp, durationOf, timestampOf } from '../values/cel-time.js';
import { CelList, CelUint, type CelValue } from '../values/cel-value.js';

const INT_OVERFLOW = new CelError('integer overflow');
const UINT_OVERFLOW = new CelError('unsigned integer overflow');
const DURATION_OVERFLOW = new CelError('duration overflow');
const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');
const DIVIDED_BY_ZERO = new CelError('division by zero');
const MODULUS_BY_ZERO = new CelError('modulus by zero');

/** Returns the value as a 64-bit int, or an overflow error. */
export function checkedInt(value: bigint): bigint | CelError {
  return BigInt.asIntN(64, value) === value ? value : INT_OVERFLOW;
}

/** Returns the value as a 64-bit uint, or an overflow error. */
export function checkedUint(value: bigint): CelUint | CelError {
  return BigInt.asUintN(64, value) === value ? new CelUint(value) : UINT_OVERFLOW;
}

/** Returns the timestamp for nanoseconds since 1970, or an overflow error. */
export function checkedTimestamp(nanos: bigint): CelTimestamp | CelError {
  return timestampOf(nanos) ?? TIMESTAMP_OVERFLOW;
}

/** Returns the duration, or an overflow error. */
function checkedDuration(nanos: bigint): CelDuration | CelError {
  return durationOf(nanos) ?? DURATION_OVERFLOW;
}

/** Evaluates `a + b`. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (a instanceof CelList && b instanceof CelList) return a.concat(b);
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(a.value + b.value);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (a instanceof CelDuration && b instanceof CelDuration) return checkedDuration(a.nanos + b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelDuration) return checkedTimestamp(a.nanos + b.nanos);
  if (a instanceof CelDuration && b instanceof CelTimestamp) return checkedTimestamp(a.nanos + b.nanos);
  return unfit('_+_', a instanceof CelList || a instanceof Uint8Array || hasProducts(a) || isReceiver(a));
}

/** Evaluates `a - b`. */
export function subtract(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(a - b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(a.value - b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) return checkedDuration(a.nanos - b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelDuration) return checkedTimestamp(a.nanos - b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return checkedDuration(a.nanos - b.nanos);
  return unfit('_-_', hasProducts(a) || isReceiver(a));
}

/** Evaluates `a * b`. */
export function multiply(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(a * b);
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(a.value * b.value);
  return unfit('_*_', hasProducts(a) || isReceiver(a));
}

/** Evaluates `a / b`. Integers are rounded toward zero. */
export function divide(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') return b === 0n ? DIVIDED_BY_ZERO : checkedInt(a / b);
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? DIVIDED_BY_ZERO : new CelUint(a.value / b.value);
  }
  return unfit('_/_', hasProducts(a) || isReceiver(a));
}

/** Evaluates `a % b`. The result has the sign of a. */
export function modulo(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (b === 0n) return MODULUS_BY_ZERO;
    return b === -1n && BigInt.asIntN(64, -a) !== -a ? INT_OVERFLOW : a % b;
  }
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? MODULUS_BY_ZERO : new CelUint(a.value % b.value);
  }
  return unfit('_%_', typeof a === 'bigint' || a instanceof CelUint || isReceiver(a));
}

/** Evaluates `-a`. */
export function negate(a: CelValue): CelValue {
  if (typeof a === 'bigint') return checkedInt(-a);
  if (typeof a === 'number') return -a;
  if (a instanceof CelDuration) return checkedDuration(-a.nanos);
  return unfit('-_', typeof a === 'boolean' || isReceiver(a));
}

/**
 * Whether the type of the value has member functions. For such types, the error for an operator does not contain the name of the operator.
 */
function isReceiver(a: CelValue): boolean {
  return typeof a === 'string' || a instanceof CelDuration || a instanceof CelTimestamp;
}

function hasProducts(a: CelValue): boolean {
  return typeof a === 'bigint' || typeof a === 'number' || a instanceof CelUint;
}

function unfit(operator: string, known: boolean): CelError {
  return known ? NO_OVERLOAD : noOverload(operator);
}
