import type { Code } from './code.js';

/** Returns a JSON value as TypeScript code. Prints instances of `Verbatim` in the value unchanged. */
export function literal(value: unknown): Code {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return { brackets: '[]', parts: value.map(literal) };
  if (typeof value === 'object' && value !== null) return objectLiteral(Object.entries(value));
  return String(value);
}

/** Returns an object literal with the given entries. Skips undefined values. */
export function objectLiteral(entries: readonly (readonly [name: string, value: unknown])[]): Code {
  const parts = entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): Code => [`${propertyName(name)}: `, literal(value)]);
  return { brackets: '{}', parts };
}

/** TypeScript code, such as an identifier, in a value for `literal`. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** Returns a string literal. Uses double quotes if the text contains single quotes but no double quotes, and otherwise single quotes. */
export function quoted(text: string): string {
  const double = JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => (each === '\u2028' ? '\\u2028' : '\\u2029'));
  if (text.includes("'") && !text.includes('"')) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Returns the name of a property, quoted if it is not an identifier. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Returns a pattern as a regular expression literal. Returns a string literal if JavaScript would change or reinterpret the pattern. */
export function patternLiteral(pattern: string): Verbatim {
  const isWritten = !/[/\n\r\u2028\u2029]/.test(pattern) && pattern !== '' && sourceOf(pattern) === pattern;
  const isExact = isWritten && meansTheSame(pattern);
  return new Verbatim(isExact ? `/${pattern}/` : quoted(pattern));
}

/** Reports whether JavaScript interprets a pattern like the RE2 syntax of API servers. Returns false for `\p{L}`, `\z`, `[[:alpha:]]`. */
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
