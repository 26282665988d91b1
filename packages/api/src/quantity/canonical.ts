import { parseQuantity, type Quantity } from './parse.js';

const DECIMAL: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const ONE = 1_000_000_000n;
const THOUSANDTH = ONE / 1000n;

/**
 * Returns the canonical form of a quantity, as stored by the API server. This form has the largest suffix of the same family that leaves no
 * fraction, such as `1Gi` for `1024Mi` and `1536Mi` for `1.5Gi`. Throws INVALID_QUANTITY.
 */
export function canonicalQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return quantity.text ?? formatQuantity(quantity);
}

/** Returns the canonical form of a quantity, rounded away from zero to thousandths, as in resource lists. Throws INVALID_QUANTITY. */
export function canonicalThousandths(text: string): string {
  const { nanos, format } = parseQuantity(text);
  const rest = nanos % THOUSANDTH;
  if (rest === 0n) return canonicalQuantity(text);
  return formatQuantity({ nanos: nanos - rest + (nanos > 0n ? THOUSANDTH : -THOUSANDTH), format });
}

/** Formats a quantity as its canonical string. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const smallOrFractional = (nanos > -1024n * ONE && nanos < 1024n * ONE) || nanos % ONE !== 0n;
  if (format === 'BinarySI' && !smallOrFractional) return binaryText(nanos / ONE);
  return decimalText(nanos, format === 'DecimalExponent');
}

function binaryText(value: bigint): string {
  let mantissa = value;
  let power = 0;
  while (mantissa % 1024n === 0n && power < BINARY.length - 1) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${BINARY[power]}`;
}

function decimalText(nanos: bigint, asExponent: boolean): string {
  let mantissa = nanos;
  let exponent = -9;
  const largest = asExponent ? Number.POSITIVE_INFINITY : 18;
  while (exponent < largest && mantissa % 1000n === 0n) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (!asExponent) return `${mantissa}${DECIMAL.get(exponent)}`;
  return exponent === 0 ? mantissa.toString() : `${mantissa}e${exponent}`;
}
