import type { Code } from './code.js';

/** A JSON value as TypeScript. Some of its parts may be code already. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return { brackets: '[]', parts: value.map(literal) };
  if (typeof value === 'object' && value !== null) return objectLiteral(Object.entries(value));
  return String(value);
}

/** An object with the entries that are given; those of undefined are left out. */
export function objectLiteral(entries: readonly (readonly [name: string, value: unknown])[]): Code {
  const parts = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): Code => [`${propertyName(name)}: `, literal(value)]);
  return { brackets: '{}', parts };
}

/** Text that is code, among values. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** A text between quotes: single ones, unless it has some and no double ones. */
export function quoted(text: string): string {
  const double = JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => (each === '\u2028' ? '\\u2028' : '\\u2029'));
  if (text.includes("'") && !text.includes('"')) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** The name of a property, between quotes where it is no identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A pattern as a regular expression, or as a text where a regular expression would change it or mean something else. */
export function patternLiteral(pattern: string): Verbatim {
  const isWritten = !/[/\n\r\u2028\u2029]/.test(pattern) && pattern !== '' && sourceOf(pattern) === pattern;
  const isExact = isWritten && meansTheSame(pattern);
  return new Verbatim(isExact ? `/${pattern}/` : quoted(pattern));
}

/** Whether JavaScript has no other meaning for what API servers read, such as `\p{L}`, `\x{10FFFF}`, `\z` or `[[:alpha:]]`. */
function meansTheSame(pattern: string): boolean {
  const escapes = pattern.match(/\\(?:x[0-9A-Fa-f]{2}|[^])/g) ?? [];
  return !pattern.includes('[[:') && escapes.every((each) => /^\\(?:x..|[^A-Za-z0-9]|[dDwWsSbBnrtfv])$/.test(each));
}

function sourceOf(pattern: string): string | undefined {
  try {
    return new RegExp(pattern).source;
  } catch {
    return undefined;
  }
}
