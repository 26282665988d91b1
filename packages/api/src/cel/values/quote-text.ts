import { SHORT_ESCAPES } from '../../schema/go-text.js';
import { replaceEach } from './replace-each.js';

/** A text as a literal of the language, in double quotes. */
export function quoteText(text: string): string {
  return `"${replaceEach(text, /[\p{Cc}\\"]/gu, (char) => SHORT_ESCAPES[char] ?? char)}"`;
}
