/** Text that goes in at a place, in place of what is between `start` and `end` of the old text. */
export interface TextEdit {
  readonly start: number;
  /** @default `start`: nothing goes away */
  readonly end?: number;
  readonly text: string;
}

/** The text with all edits, which do not overlap. Those of the same place come in the order in which they are given. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end = start, text: added } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + added;
    at = end;
  }
  return result + text.slice(at);
}
