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

/** Whether the text has 16 or more consecutive digits outside of strings. A shorter integer is always safe. */
function holdsLongInteger(json: string): boolean {
  const digits = /[0-9]{16,}/g;
  let inString = false;
  let scanned = 0;
  for (let match = digits.exec(json); match !== null; match = digits.exec(json)) {
    inString = endsInString(json, { from: scanned, to: match.index, inString });
    if (!inString) return true;
    scanned = match.index;
  }
  return false;
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
