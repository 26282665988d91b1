import { messageOf } from '../errors/message-of.js';
import { ExactJsonParser } from './exact-json-parser.js';
import { InvalidJsonError } from './invalid-json-error.js';

/**
 * Parses JSON like `JSON.parse`, but an integer outside the safe range of JavaScript numbers becomes a `bigint`. Bytes are decoded as
 * UTF-8. A `__proto__` key becomes an own property. Throws `InvalidJsonError` with the position.
 */
export function parseJson(text: string | Uint8Array): unknown {
  const json = typeof text === 'string' ? text : decode(text);
  if (holdsLongInteger(json)) return new ExactJsonParser(json).parse();
  try {
    return JSON.parse(json);
  } catch (cause) {
    // The native parser does not always report the position of the error. `ExactJsonParser` parses the same grammar and reports the
    // position.
    new ExactJsonParser(json).parse();
    throw new InvalidJsonError(`the text is not valid JSON: ${messageOf(cause)}`, { cause });
  }
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** The minimum number of digits of an integer that can be outside the safe range. */
const MIN_DIGITS = 16;

/** Whether the text has `MIN_DIGITS` or more consecutive digits outside of strings. */
function holdsLongInteger(json: string): boolean {
  let inString = false;
  let scanned = 0;
  // Each sequence of `MIN_DIGITS` digits contains one of these positions. A regular expression tests all positions and takes five times
  // longer.
  for (let at = MIN_DIGITS - 1; at < json.length; at += MIN_DIGITS) {
    if (!isDigit(json.charCodeAt(at))) continue;
    let [from, to] = [at, at + 1];
    while (from > scanned && isDigit(json.charCodeAt(from - 1))) from--;
    while (to < json.length && isDigit(json.charCodeAt(to))) to++;
    if (to - from < MIN_DIGITS) continue;
    inString = endsInString(json, { from: scanned, to: from, inString });
    if (!inString) return true;
    scanned = from;
    // Continues with the first position after the digits.
    at += Math.floor((to - 1 - at) / MIN_DIGITS) * MIN_DIGITS;
  }
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function endsInString(json: string, part: { from: number; to: number; inString: boolean }): boolean {
  let inString = part.inString;
  for (let at = part.from; at < part.to; at++) {
    const unit = json.charCodeAt(at);
    if (unit === 0x22) inString = !inString;
    else if (unit === 0x5c && inString) at++;
  }
  return inString;
}
