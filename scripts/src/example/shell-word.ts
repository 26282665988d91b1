/** Returns a text as one word of a POSIX shell, quoted if the shell would split or expand it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
