import { Breaks } from '../apply/breaks.js';
import { finish, type Steps } from '../apply/steps.js';
import { isJsonObject } from '../json/json-object.js';

/** The number of characters that one step writes. */
const charactersPerStep = 64 * 1024;

/** Formats a string as Go's `%q`: double quotes, Go escapes, printable characters unchanged. */
export function goQuote(text: string): string {
  return `"${quotedChars(text)}"`;
}

/** Formats a string as Go's `%q` in steps. */
export function* goQuoteSteps(text: string): Steps<string> {
  return `"${yield* inPieces(text, quotedChars)}"`;
}

function quotedChars(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? text : text.replace(/[^ !#-[\]-~]/gu, quotedChar);
}

/** Applies `change` to a text piece by piece, in steps. A piece does not end within a surrogate pair. */
function* inPieces(text: string, change: (piece: string) => string): Steps<string> {
  let changed = '';
  for (let begin = 0; begin < text.length; ) {
    const end = begin + charactersPerStep;
    const isWithin = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const next = isWithin ? end + 1 : end;
    changed += change(text.slice(begin, next));
    begin = next;
    yield;
  }
  return changed;
}

/** The characters that Go and CEL escape with a letter in double-quoted strings. */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

function quotedChar(char: string): string {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return char;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char)) return char;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Formats a floating-point number like `%v` in Go: with as few digits as possible, and with an exponent if the magnitude is less than 1e-4
 * or at least 1e21.
 */
export function goFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return Object.is(value, -0) ? '-0' : goSpecial(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e21) return String(value).includes('e') ? plainDecimal(value) : String(value);
  return withTwoDigitExponent(value.toExponential());
}

function goSpecial(value: number): string {
  if (value === 0) return '0';
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function plainDecimal(value: number): string {
  return value.toFixed(20).replace(/0+$/, '');
}

function withTwoDigitExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Serializes a JSON value as Go's `json.Marshal`: sorted keys, `<`, `>`, `&`, U+2028 and U+2029 escaped, bigint as digits. */
export function goJson(value: unknown): string {
  return typeof value === 'object' && value !== null ? finish(goJsonSteps(value)) : scalarJson(value);
}

/** Serializes a JSON value as Go's `json.Marshal` in steps. */
export function* goJsonSteps(value: unknown, breaks = new Breaks()): Steps<string> {
  if (typeof value === 'string') return `"${yield* inPieces(value, jsonChars)}"`;
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (const item of value) {
      items.push(isShort(item) ? scalarJson(item) : yield* goJsonSteps(item, breaks));
      if (breaks.isDue()) yield;
    }
    return `[${items.join(',')}]`;
  }
  if (!isJsonObject(value)) return scalarJson(value);
  const fields: string[] = [];
  for (const key of Object.keys(value).toSorted()) {
    const field = value[key];
    if (field === undefined) continue;
    fields.push(`${scalarJson(key)}:${isShort(field) ? scalarJson(field) : yield* goJsonSteps(field, breaks)}`);
    if (breaks.isDue()) yield;
  }
  return `{${fields.join(',')}}`;
}

/** Whether a value can be formatted in a single step. */
function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= charactersPerStep : typeof value !== 'object' || value === null;
}

function scalarJson(value: unknown): string {
  if (typeof value === 'string') return `"${jsonChars(value)}"`;
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? 'null');
}

function jsonChars(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, escaped);
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
