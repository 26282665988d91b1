/** Removes the byte order mark at the start of a text. Editors on Windows may write this mark, but JSON parsers reject it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
