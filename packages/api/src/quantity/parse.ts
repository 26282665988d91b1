import { KubewrightError } from '../errors/kubewright-error.js';

/** The notation of a quantity, which its canonical form preserves: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A quantity such as `500m` or `1Gi`, in billionths. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** The source text, if it is already canonical. */
  readonly text?: string;
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const PATTERN = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/;
/** The maximum length of a quantity. Parsing digits takes more than linear time. kube-apiserver does not have this limit. */
const MAX_LENGTH = 1000;
const MAX_EXPONENT = 4096;
const MAX_INT64 = 2n ** 63n - 1n;
const ONE = 1_000_000_000n;

const decimal = (exponent: number): Suffix => ({ base: 10, exponent, format: 'DecimalSI' });
const binary = (exponent: number): Suffix => ({ base: 2, exponent, format: 'BinarySI' });

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ['n', decimal(-9)],
  ['u', decimal(-6)],
  ['m', decimal(-3)],
  ['', decimal(0)],
  ['k', decimal(3)],
  ['M', decimal(6)],
  ['G', decimal(9)],
  ['T', decimal(12)],
  ['P', decimal(15)],
  ['E', decimal(18)],
  ['Ki', binary(10)],
  ['Mi', binary(20)],
  ['Gi', binary(30)],
  ['Ti', binary(40)],
  ['Pi', binary(50)],
  ['Ei', binary(60)],
]);

/**
 * Parses a quantity: a decimal number and a suffix (`n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei`, `e3`). Fractions of a billionth are rounded
 * away from zero. Throws INVALID_QUANTITY with the text of the API server.
 */
export function parseQuantity(text: string): Quantity {
  const read = readQuantity(text);
  if (typeof read === 'string') throw new KubewrightError('INVALID_QUANTITY', read);
  return read;
}

/** Returns the quantity, or the error in the text. */
function readQuantity(text: string): Quantity | string {
  const match = text.length > MAX_LENGTH ? null : PATTERN.exec(text);
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match ?? [];
  if (match === null || (whole === '' && !text.includes('.'))) {
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  }
  const suffix = suffixOf(suffixText);
  if (suffix === undefined) return "unable to parse quantity's suffix";
  const digits = whole.replace(/^0+/, '') || '0';
  const magnitude = nanosOf(digits + fraction, fraction.length, suffix);
  const limit = MAX_INT64 * ONE;
  const capped = suffix.format === 'BinarySI' && magnitude > limit ? limit : magnitude;
  const tiny = suffix.format === 'BinarySI' && capped > 0n && capped < ONE;
  return {
    nanos: sign === '-' ? -capped : capped,
    format: tiny ? 'DecimalSI' : suffix.format,
    ...(isCanonical({ digits, fraction, suffix, magnitude }) && { text }),
  };
}

function suffixOf(text: string): Suffix | undefined {
  const known = SUFFIXES.get(text);
  if (known !== undefined) return known;
  const exponent = /^[eE]([-+]?[0-9]+)$/.exec(text)?.[1];
  if (exponent === undefined || Number(exponent) > MAX_EXPONENT) return undefined;
  return { base: 10, exponent: Number(exponent), format: 'DecimalExponent' };
}

function nanosOf(digits: string, places: number, { base, exponent }: Suffix): bigint {
  const value = BigInt(digits);
  if (value === 0n) return 0n;
  if (base === 2) return roundedUp(value * 2n ** BigInt(exponent) * ONE, places);
  const scale = exponent - places + 9;
  if (scale >= 0) return value * 10n ** BigInt(scale);
  return -scale > digits.length ? 1n : roundedUp(value, -scale);
}

function roundedUp(value: bigint, places: number): bigint {
  const divisor = 10n ** BigInt(places);
  return (value + divisor - 1n) / divisor;
}

interface Parts {
  readonly digits: string;
  readonly fraction: string;
  readonly suffix: Suffix;
  readonly magnitude: bigint;
}

// The API server keeps the original text if another suffix cannot shorten the number.
function isCanonical({ digits, fraction, suffix, magnitude }: Parts): boolean {
  const shifted = digits + fraction;
  if (suffix.format === 'BinarySI') {
    const precision = 14 - digits.length - Math.trunc((suffix.exponent * 3) / 10);
    if (fraction !== '' || precision < 0 || magnitude > MAX_INT64 * ONE) return false;
    return (BigInt(digits) & 7n) !== 0n;
  }
  const scale = suffix.exponent - fraction.length;
  if (shifted.length > 18 || scale < -9) return false;
  return scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** Whether `parseQuantity` accepts the text. */
export function isQuantity(text: unknown): boolean {
  return typeof text === 'string' && typeof readQuantity(text) !== 'string';
}

/**
 * Compares two quantities. Returns a negative number if `a` is less, 0 if they are equal, and a positive number if `a` is greater,
 * regardless of their suffixes. Throws INVALID_QUANTITY.
 */
export function compareQuantities(a: string | Quantity, b: string | Quantity): number {
  const difference = amount(a) - amount(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function amount(quantity: string | Quantity): bigint {
  return typeof quantity === 'string' ? parseQuantity(quantity).nanos : quantity.nanos;
}
