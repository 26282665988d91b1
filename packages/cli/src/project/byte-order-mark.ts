/** A text without the mark that editors on Windows may put before it, and JSON does not have. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
