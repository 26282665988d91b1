/** A range of a text, and the text that replaces the range. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Returns a text with the given ranges replaced. Ignores a range within another range. */
export function withReplacements(text: string, replacements: readonly Replacement[]): string {
  const ordered = replacements.toSorted((one, other) => one.start - other.start || other.end - one.end);
  let result = '';
  let copied = 0;
  for (const { start, end, by } of ordered) {
    if (end <= copied) continue;
    result += text.slice(copied, start) + by;
    copied = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
