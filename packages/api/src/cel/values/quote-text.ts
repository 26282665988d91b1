const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** A text as a literal of the language, in double quotes. */
export function quoteText(text: string): string {
  return `"${text.replace(/[\p{Cc}\\"]/gu, (char) => ESCAPES[char] ?? char)}"`;
}
