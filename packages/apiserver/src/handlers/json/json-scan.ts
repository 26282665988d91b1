import { mostLevels } from './json-depth.js';

/** The bytes of JSON that the scan distinguishes. */
const CODES = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  zero: 0x30,
  nine: 0x39,
  exponent: 0x45,
  bracket: 0x5b,
  backslash: 0x5c,
  closingBracket: 0x5d,
  brace: 0x7b,
  closingBrace: 0x7d,
} as const;
/** The bit that distinguishes `e` from `E`. */
const lowerCase = 0x20;
/** A number with fewer characters, and without an exponent, is always within the range of a double. */
const leastHugeLength = 300;

/** The properties of a JSON document that a scan finds before parsing. */
export interface JsonScan {
  /** The number of values, or the limit plus one if the text has more values than the limit. Each repetition of a key counts. */
  readonly values: number;
  /** Whether a value is nested in too many objects and arrays. */
  readonly isTooDeep: boolean;
  /** The text of the first number that a double cannot represent, such as `1e400`. */
  readonly hugeNumber: string | undefined;
}

/**
 * Scans a JSON text in UTF-8. Takes about 2 ns for each byte, and stops when the text has more than `most` values. If the text is not valid
 * JSON, the result is meaningless.
 */
export function scanJson(text: Uint8Array, most: number): JsonScan {
  let values = 1;
  let level = 0;
  let isTooDeep = false;
  let hugeNumber: string | undefined;
  // Whether the last character has opened an object or array.
  let hasOpened = false;
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const code = text[at] ?? 0;
    if (code <= CODES.space) continue;
    if (code === CODES.closingBrace || code === CODES.closingBracket) {
      level -= 1;
      hasOpened = false;
      continue;
    }
    // An object or array that is not empty has one value more than it has commas.
    if (hasOpened) {
      values += 1;
      isTooDeep ||= level >= mostLevels;
    }
    hasOpened = code === CODES.brace || code === CODES.bracket;
    if (hasOpened) level += 1;
    else if (code === CODES.comma) values += 1;
    else if (code === CODES.quote) at = stringEnd(text, at);
    else if (isNumeric(code)) {
      const end = numberEnd(text, at);
      hugeNumber ??= hugeIn(text, at, end);
      at = end - 1;
    }
  }
  return { values: Math.min(values, most + 1), isTooDeep, hugeNumber };
}

/** Returns the position of the closing quote of the string that begins at `start`. */
function stringEnd(text: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text[at];
    if (code === CODES.quote) break;
    if (code === CODES.backslash) at += 1;
  }
  return at;
}

function isNumeric(code: number): boolean {
  return (code >= CODES.zero && code <= CODES.nine) || code === CODES.minus;
}

/** Returns the position after the number that begins at `start`. */
function numberEnd(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && isInNumber(text[at] ?? 0)) at += 1;
  return at;
}

function isInNumber(code: number): boolean {
  return isNumeric(code) || code === 0x2b || code === 0x2e || (code & ~lowerCase) === CODES.exponent;
}

/** Returns the text of the number between two positions if a double cannot represent the number, and undefined otherwise. */
function hugeIn(text: Uint8Array, start: number, end: number): string | undefined {
  const digits = text.subarray(start, end);
  const hasExponent = digits.includes(CODES.exponent) || digits.includes(CODES.exponent | lowerCase);
  if (!hasExponent && digits.length < leastHugeLength) return undefined;
  const number = Buffer.from(digits.buffer, digits.byteOffset, digits.byteLength).toString('latin1');
  return Math.abs(Number(number)) === Number.POSITIVE_INFINITY ? number : undefined;
}
