/** The number of unchanged lines before and after a change. */
const context = 3;
/** The number of lines up to which equal lines are searched. The search takes quadratic time. */
const mostLines = 1000;

/** A line of a diff: `text` begins with '-', '+' or a space. */
interface Line {
  readonly text: string;
  /** The number of lines before this line in the old and in the new text. */
  readonly before: number;
  readonly after: number;
}

/** Returns the difference between two values in the form in which some messages of kube-apiserver show it: a unified diff of their JSON. */
export function goDiff(old: unknown, next: unknown): string {
  const linesOf = (value: unknown): readonly string[] => JSON.stringify(value, undefined, 1).split('\n');
  const lines = changedLines({ old: linesOf(old), next: linesOf(next), before: 0, after: 0 });
  const changes = lines.flatMap(({ text }, at) => (text.startsWith(' ') ? [] : [at]));
  const hunks: [first: number, last: number][] = [];
  for (const at of changes) {
    const last = hunks.at(-1);
    const [first, end] = [Math.max(0, at - context), Math.min(lines.length, at + context + 1)];
    if (last !== undefined && first <= last[1]) last[1] = end;
    else hunks.push([first, end]);
  }
  return hunks.map(([first, end]) => hunkText(lines.slice(first, end))).join('');
}

function hunkText(lines: readonly Line[]): string {
  const [first] = lines;
  if (first === undefined) return '';
  const range = (start: number, sign: string): string => {
    const length = lines.filter(({ text }) => !text.startsWith(sign)).length;
    return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
  };
  const head = `@@ -${range(first.before, '+')} +${range(first.after, '-')} @@\n`;
  return head + lines.map(({ text }) => `${text}\n`).join('');
}

/** The lines of both texts, or a part of these lines. */
interface Part {
  readonly old: readonly string[];
  readonly next: readonly string[];
  readonly before: number;
  readonly after: number;
}

const noBlock = { i: 0, j: 0, length: 0 };

/**
 * Returns all lines of both texts. The longest block of equal lines is unchanged, and so are the longest blocks before and after this
 * block.
 */
function changedLines({ old, next, before, after }: Part): readonly Line[] {
  const { i, j, length } = old.length + next.length > mostLines ? noBlock : longestBlock(old, next);
  if (length === 0) {
    return [
      ...old.map((line, at) => ({ text: `-${line}`, before: before + at, after })),
      ...next.map((line, at) => ({ text: `+${line}`, before: before + old.length, after: after + at })),
    ];
  }
  const unchanged = old.slice(i, i + length).map((line, at) => ({
    text: ` ${line}`,
    before: before + i + at,
    after: after + j + at,
  }));
  return [
    ...changedLines({ old: old.slice(0, i), next: next.slice(0, j), before, after }),
    ...unchanged,
    ...changedLines({
      old: old.slice(i + length),
      next: next.slice(j + length),
      before: before + i + length,
      after: after + j + length,
    }),
  ];
}

/** Returns the positions and the length of the longest block of equal lines, or of the first of several longest blocks. */
function longestBlock(
  old: readonly string[],
  next: readonly string[],
): { readonly i: number; readonly j: number; readonly length: number } {
  let best = noBlock;
  let previous = new Uint32Array(next.length + 1);
  for (const [i, line] of old.entries()) {
    const lengths = new Uint32Array(next.length + 1);
    for (const [j, other] of next.entries()) {
      if (line !== other) continue;
      const length = (previous[j] ?? 0) + 1;
      lengths[j + 1] = length;
      if (length > best.length) best = { i: i + 1 - length, j: j + 1 - length, length };
    }
    previous = lengths;
  }
  return best;
}
