/** Text that replaces the range from `start` to `end` of the old text. */
export interface TextEdit {
  readonly start: number;
  /** The end of the replaced range. @default `start`, which inserts the text without replacing anything */
  readonly end?: number;
  readonly text: string;
}

/** Returns the text with all edits, which must not overlap. Edits at the same position keep the order in which they are given. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end = start, text: added } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + added;
    at = end;
  }
  return result + text.slice(at);
}
