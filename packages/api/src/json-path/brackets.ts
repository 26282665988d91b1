import { KubewrightError } from '../errors/kubewright-error.js';

/** The position of the bracket that closes the one at `open`; brackets within quotes do not count. */
export function closingBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") at = closingQuote(text, at);
    else if (char === '[' || char === '(') depth++;
    else if (char === ']' || char === ')') {
      depth--;
      if (depth === 0) return at;
    }
  }
  throw new KubewrightError('INVALID_JSON_PATH', `read the JSONPath '${text}': unterminated array`);
}

/** The position of the quote that closes the one at `open`; a backslash takes the next character as it is. */
export function closingQuote(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) return at;
  }
  throw new KubewrightError('INVALID_JSON_PATH', `read the JSONPath '${text}': unterminated quoted string`);
}

/** Splits at a character that is neither within quotes nor within brackets. */
export function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'") at = closingQuote(text, at);
    else if (char === '[') at = closingBracket(text, at);
    else if (char === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
