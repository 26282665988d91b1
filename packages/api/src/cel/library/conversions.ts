import { CelError } from '../values/cel-error.js';
import { checkedInt, checkedTimestamp, checkedUint } from './arithmetic.js';
import {
  CelDuration,
  CelTimestamp,
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
} from '../values/cel-time.js';
import { CelTypeValue, CelUint, type CelValue, isOpaque } from '../values/cel-value.js';
import { celTypes } from '../values/cel-type.js';
import { goFloatText } from './go-float-text.js';
import { runtimeTypeName } from '../values/runtime-type.js';

const NANOS = 1_000_000_000n;

function unfit(value: CelValue, to: string): CelError {
  return new CelError(`type conversion error from '${runtimeTypeName(value)}' to '${to}'`);
}

/** Evaluates `bool(x)`. */
export function toBool(value: CelValue): CelValue {
  if (typeof value === 'boolean') return value;
  if (value === '1' || value === 't' || value === 'T' || value === 'TRUE' || value === 'true' || value === 'True') {
    return true;
  }
  if (value === '0' || value === 'f' || value === 'F' || value === 'FALSE' || value === 'false' || value === 'False') {
    return false;
  }
  return unfit(value, 'bool');
}

/** Evaluates `bytes(x)`. */
export function toBytes(value: CelValue): CelValue {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return value instanceof Uint8Array ? value : unfit(value, 'bytes');
}

/** Evaluates `double(x)`. */
export function toDouble(value: CelValue): CelValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  return (typeof value === 'string' ? parseDouble(value) : undefined) ?? unfit(value, 'double');
}

function parseDouble(text: string): number | undefined {
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (/^[+]?inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^-inf(inity)?$/i.test(text)) return Number.NEGATIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}

/** Evaluates `int(x)`. */
export function toInt(value: CelValue): CelValue {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return doubleToWhole(value, checkedInt);
  if (value instanceof CelUint) return checkedInt(value.value);
  if (value instanceof CelTimestamp) return value.seconds;
  if (value instanceof CelDuration) return value.nanos;
  if (typeof value !== 'string' || !/^[+-]?\d+$/.test(value) || isLong(value)) return unfit(value, 'int');
  const parsed = checkedInt(BigInt(value.replace(/^\+/, '')));
  return parsed instanceof CelError ? unfit(value, 'int') : parsed;
}

/** Evaluates `uint(x)`. */
export function toUint(value: CelValue): CelValue {
  if (value instanceof CelUint) return value;
  if (typeof value === 'number') return doubleToWhole(value, checkedUint);
  if (typeof value === 'bigint') return checkedUint(value);
  if (typeof value !== 'string' || !/^\d+$/.test(value) || isLong(value)) return unfit(value, 'uint');
  const parsed = checkedUint(BigInt(value));
  return parsed instanceof CelError ? unfit(value, 'uint') : parsed;
}

/**
 * Whether a number has more digits than any 64-bit number. Such numbers are rejected without parsing, because parsing takes more than
 * linear time.
 */
function isLong(text: string): boolean {
  return text.length > 20 && text.replace(/^[+-]?0*/, '').length > 20;
}

function doubleToWhole(value: number, check: (whole: bigint) => CelValue): CelValue {
  if (!Number.isFinite(value)) return check(2n ** 65n);
  return check(BigInt(Math.trunc(value)));
}

/** Evaluates `string(x)`. */
export function toText(value: CelValue): CelValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return goFloatText(value);
  if (value instanceof CelUint) return value.value.toString();
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof Uint8Array) return decode(value);
  return value !== null && isOpaque(value) && 'text' in value && typeof value.text === 'string'
    ? value.text
    : unfit(value, 'string');
}

function decode(bytes: Uint8Array): CelValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new CelError('invalid UTF-8 in bytes, cannot convert to string');
    throw error;
  }
}

/** Evaluates `timestamp(x)`. */
export function toTimestamp(value: CelValue): CelValue {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'bigint') return checkedTimestamp(value * NANOS);
  return (typeof value === 'string' ? parseTimestamp(value) : undefined) ?? unfit(value, celTypes.timestamp.name);
}

/** Evaluates `duration(x)`. */
export function toDuration(value: CelValue): CelValue {
  if (value instanceof CelDuration) return value;
  return (typeof value === 'string' ? parseDuration(value) : undefined) ?? unfit(value, celTypes.duration.name);
}
