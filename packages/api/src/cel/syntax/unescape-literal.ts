import { append } from '../../objects/append.js';

/** Returns the value of a string literal with its quotes and prefix. Throws an Error in the wording of CEL. */
export function unescapeString(literal: string): string {
  const { body, raw } = unquote(literal);
  if (raw || !body.includes('\\')) return body;
  return body.replace(ESCAPE, (whole: string, ...groups: unknown[]) => {
    const code = codeOf(whole, groups);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw new Error('invalid unicode code point');
    return String.fromCodePoint(code);
  });
}

/** Returns the value of a bytes literal with its quotes and prefix. Throws an Error in the wording of CEL. */
export function unescapeBytes(literal: string): Uint8Array {
  const { body, raw } = unquote(literal.slice(1));
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const parts: number[] = [];
  let at = 0;
  for (const found of body.matchAll(ESCAPE)) {
    append(parts, encoder.encode(body.slice(at, found.index)));
    if (/^\\[uU]/.test(found[0])) throw new Error('unable to unescape string');
    parts.push(codeOf(found[0], found.slice(1)) & 0xff);
    at = found.index + found[0].length;
  }
  append(parts, encoder.encode(body.slice(at)));
  return Uint8Array.from(parts);
}

const ESCAPE = /\\(?:([abfnrtv"'\\?`])|([0-3][0-7]{2})|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g;
const CONTROL: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

function codeOf(whole: string, groups: readonly unknown[]): number {
  const [char, octal, hex, short, long] = groups;
  if (typeof char === 'string') return CONTROL[char] ?? char.charCodeAt(0);
  if (typeof octal === 'string') return Number.parseInt(octal, 8);
  const digits = [hex, short, long].find((text) => typeof text === 'string');
  if (digits === undefined) throw new Error(`unable to unescape string: ${whole}`);
  return Number.parseInt(digits, 16);
}

function unquote(literal: string): { readonly body: string; readonly raw: boolean } {
  const text = literal.replace(/\r\n?/g, '\n');
  const raw = /^[rR]/.test(text);
  const quoted = raw ? text.slice(1) : text;
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(width, quoted.length - width), raw };
}
