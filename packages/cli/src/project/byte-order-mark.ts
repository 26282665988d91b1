/** Removes the byte order mark, which editors on Windows may write and JSON does not allow. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
