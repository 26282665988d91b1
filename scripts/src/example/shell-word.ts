/** Returns a text as one word for a POSIX shell. Quotes the text only if it contains special characters. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
