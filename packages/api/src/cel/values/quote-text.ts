import { SHORT_ESCAPES } from '../../schema/go-text.js';
import { replaceEach } from './replace-each.js';

/** Formats a text as a CEL string literal in double quotes. */
export function quoteText(text: string): string {
  return `"${replaceEach(text, /[\p{Cc}\\"]/gu, (char) => SHORT_ESCAPES[char] ?? char)}"`;
}
