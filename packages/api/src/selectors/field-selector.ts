import { invalidSelector } from './label-selector.js';

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A selector over fields. An object matches if it meets every requirement. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  /** Whether the selector matches every object, because it has no requirements. */
  readonly empty: boolean;
  /** Whether an object matches. `valueOf` returns the string value of a field. A missing field counts as ''. */
  matches(valueOf: (field: string) => string | undefined): boolean;
  toString(): string;
}

/**
 * Parses a field selector: `a.b=c`, `a.b==c`, `a.b!=c`, separated by commas. In values, a backslash escapes `\`, `,` and `=`. A term that
 * consists only of an operator is ignored. Throws INVALID_SELECTOR with the text of the API server.
 */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = termsOf(text)
    .toSorted()
    .filter((term) => term !== '')
    .map((term) => requirementOf(term, text))
    .filter(({ field, value }) => field !== '' || value !== '');
  return Object.freeze({
    requirements,
    empty: requirements.length === 0,
    matches: (valueOf: (field: string) => string | undefined) =>
      requirements.every(({ field, operator, value }) => ((valueOf(field) ?? '') === value) === (operator === '=')),
    toString: () => requirements.map((term) => `${term.field}${term.operator}${escapeValue(term.value)}`).join(','),
  });
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function requirementOf(term: string, selector: string): FieldRequirement {
  const match = /!=|==|=/.exec(term);
  if (match === null) throw invalidSelector(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [sign] = match;
  return {
    field: term.slice(0, match.index),
    operator: sign === '!=' ? '!=' : '=',
    value: unescapeValue(term.slice(match.index + sign.length)),
  };
}

function unescapeValue(text: string): string {
  let value = '';
  const chars = Array.from(text);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === ',' || char === '=') {
      throw invalidSelector(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    }
    if (char !== '\\') {
      value += char;
      continue;
    }
    at++;
    const escaped = chars[at];
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
      throw invalidSelector(`invalid field selector: invalid escape sequence: \\${escaped ?? ''}`);
    }
    value += escaped;
  }
  return value;
}
