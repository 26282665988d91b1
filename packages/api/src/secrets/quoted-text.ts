import { MASK } from './secret-name.js';

/** The source of a regular expression for a number or a boolean in JSON, in YAML or as Node.js prints them. */
export const SCALAR = '(?:[-+]?\\d[\\w.+-]*|true|false)';
const SCALAR_HERE = new RegExp(`${SCALAR}(?!\\w)`, 'y');

/**
 * Masks each string, number or boolean that directly follows a match of the pattern. The string may have any quotes, and may be escaped any
 * number of times, as in JSON within JSON. If the closing quote is missing, the remaining text is masked.
 *
 * @param pattern a global regular expression
 */
export function maskValuesAfter(text: string, pattern: RegExp): string {
  return replaceAfter(text, pattern, (at) => {
    const string = stringAt(text, at);
    if (string !== undefined) return { end: string.end, by: string.quote + MASK + string.quote };
    SCALAR_HERE.lastIndex = at;
    return SCALAR_HERE.test(text) ? { end: SCALAR_HERE.lastIndex, by: MASK } : undefined;
  });
}

/**
 * Replaces the text from the end of each match of the pattern to `end`. `replacement` gets the index after the match. If `replacement`
 * returns undefined, the text after this match is not replaced.
 */
export function replaceAfter(
  text: string,
  pattern: RegExp,
  replacement: (at: number, match: RegExpExecArray) => { readonly end: number; readonly by: string } | undefined,
): string {
  let result = '';
  let copied = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const replaced = replacement(pattern.lastIndex, match);
    if (replaced === undefined) continue;
    result += text.slice(copied, pattern.lastIndex) + replaced.by;
    copied = replaced.end;
    pattern.lastIndex = Math.max(copied, pattern.lastIndex);
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/**
 * Returns the opening quote of the string at the index, with its backslashes, and the index after the closing quote. If the closing quote
 * is missing, the second index is the length of the text. Returns undefined if no string begins at the index.
 */
export function stringAt(text: string, at: number): { readonly quote: string; readonly end: number } | undefined {
  let first = at;
  while (text[first] === '\\') first++;
  const quoteCharacter = text[first];
  if (quoteCharacter !== '"' && quoteCharacter !== "'" && quoteCharacter !== '`') return undefined;
  const quote = text.slice(at, first + 1);
  // Each level of escaping doubles the backslashes: a quote in the content has more backslashes than the closing quote.
  const escapes = quote.length - 1;
  let backslashes = 0;
  for (let index = first + 1; index < text.length; index++) {
    if (text[index] === '\\') backslashes++;
    else if (text[index] === quoteCharacter && backslashes % (2 * escapes + 2) === escapes)
      return { quote, end: index + 1 };
    else backslashes = 0;
  }
  return { quote, end: text.length };
}

/**
 * Returns the index after the bracket that closes the bracket at the index. Returns the length of the text if the closing bracket is
 * missing. Brackets within strings do not count.
 */
export function bracketEnd(text: string, at: number, escape: string): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else if (text.startsWith(`${escape}"`, index) || text.startsWith(`${escape}'`, index)) {
      index = (stringAt(text, index)?.end ?? index + 1) - 1;
    }
    if (depth === 0) return index + 1;
  }
  return text.length;
}
