import { KubewrightError } from '../errors/kubewright-error.js';

/** How a quantity is written: with powers of 1024 (Ki), of 1000 (k), or an exponent (e3). */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** An amount as it was written, and exactly what it is worth: `nanos` billionths. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const NANOS_PER_UNIT = 1_000_000_000n;
const PATTERN = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+|[numkMGTPE]?)$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
/** A larger exponent could only be a mistake, and would take all memory. */
const LARGEST_EXPONENT = 1000;

/** Reads an amount such as `20Gi`, `500m` or `1e3`; finer than a billionth is rounded away from zero. Throws INVALID_QUANTITY. */
export function parseQuantity(text: string): Quantity {
  const match = PATTERN.exec(text);
  if (!match) throw invalidQuantity(text);
  const [, sign, number = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = number.split('.');
  const digits = BigInt(`${whole}${fraction}` || '0');
  const binary = suffix.endsWith('i') ? BINARY.indexOf(suffix as (typeof BINARY)[number]) : 0;
  const exponential = /^[eE][+-]?\d/.test(suffix);
  const exponent = binary > 0 ? 0 : exponential ? Number(suffix.slice(1)) : (DECIMAL.get(suffix) ?? 0);
  if (Math.abs(exponent) > LARGEST_EXPONENT) throw invalidQuantity(text);
  const nanos = scaled(digits * 1024n ** BigInt(binary), exponent + 9 - fraction.length);
  return {
    nanos: sign === '-' ? -nanos : nanos,
    format: binary > 0 ? 'BinarySI' : exponential ? 'DecimalExponent' : 'DecimalSI',
  };
}

/** Whether the text is an amount. */
export function isQuantity(text: string): boolean {
  return PATTERN.test(text);
}

/** Below 0 when `a` is less than `b`, 0 when they are worth the same. */
export function compareQuantities(a: string, b: string): number {
  const [left, right] = [parseQuantity(a).nanos, parseQuantity(b).nanos];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The one way in which Kubernetes writes the amount: no fraction, the largest unit that allows it, the kind of unit kept. */
export function canonicalQuantity(text: string): string {
  const { nanos, format } = parseQuantity(text);
  if (nanos === 0n) return '0';
  // What has no whole multiple of 1024 below it, or is less than 1024, is written in powers of ten.
  const whole = nanos % NANOS_PER_UNIT === 0n;
  if (format === 'BinarySI' && whole && abs(nanos) >= 1024n * NANOS_PER_UNIT) return binaryText(nanos / NANOS_PER_UNIT);
  return decimalText(nanos, format);
}

function binaryText(units: bigint): string {
  let power = 0;
  let left = units;
  while (power < BINARY.length - 1 && left % 1024n === 0n) {
    left /= 1024n;
    power++;
  }
  return `${left}${BINARY[power]}`;
}

function decimalText(nanos: bigint, format: QuantityFormat): string {
  let exponent = -9;
  let left = nanos;
  const largest = format === 'DecimalExponent' ? LARGEST_EXPONENT : 18;
  while (exponent < largest && left % 1000n === 0n) {
    left /= 1000n;
    exponent += 3;
  }
  if (format === 'DecimalExponent') return exponent === 0 ? `${left}` : `${left}e${exponent}`;
  for (const [suffix, power] of DECIMAL) if (power === exponent) return `${left}${suffix}`;
  return `${left}`;
}

/** `digits` times ten to the power; what falls below one is rounded up. */
function scaled(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function invalidQuantity(text: string): KubewrightError {
  return new KubewrightError(
    'INVALID_QUANTITY',
    `'${text}' is not a quantity: write a number with an optional unit, such as '500m', '20Gi' or '1e3'`,
  );
}
