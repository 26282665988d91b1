/** A part of a text, and the text that replaces this part. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Returns a text with parts replaced. A part within another one is replaced with the other one. */
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
