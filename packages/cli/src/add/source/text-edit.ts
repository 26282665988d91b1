/** A replacement of the characters from `start` up to, but not including, `end`. */
export interface TextEdit {
  readonly start: number;
  /** The end of the replaced range. @default `start`, which inserts the text without replacing anything */
  readonly end?: number;
  readonly text: string;
}

/** Applies the edits to a text. Edits must not overlap. Edits at the same position are applied in the order of the list. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end = start, text: added } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + added;
    at = end;
  }
  return result + text.slice(at);
}
