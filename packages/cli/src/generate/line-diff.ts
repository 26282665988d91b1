/** A line of a difference: removed (-), added (+), or unchanged (space). */
interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The number of unchanged lines that are included before and after a change. */
const CONTEXT = 2;
/**
 * Limits the time and memory of `changed`. If the product of the numbers of old and new lines is larger than the square of this number,
 * `changed` removes all old lines and adds all new lines, and does not search for the smallest difference.
 */
const MOST_COMPARED = 2000;

/**
 * Returns the difference of two texts. Each line starts with '-' (removed), '+' (added), or a space (unchanged). '…' replaces unchanged
 * lines that are not near a change. After `most` lines, appends a line with the number of omitted lines.
 */
export function lineDiff(from: string, to: string, most: number): readonly string[] {
  const lines = compared(linesOf(from), linesOf(to));
  const isNear = lines.map((_line, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const shown = lines.flatMap(({ sign, text }, at) => {
    if (isNear[at] === true) return [`${sign} ${text}`.trimEnd()];
    return isNear[at - 1] === true ? ['…'] : [];
  });
  if (shown.length <= most) return shown;
  return [...shown.slice(0, most), `… and ${shown.length - most} more lines`];
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n');
}
function compared(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const same = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  return [
    ...same(from.slice(0, start)),
    ...changed(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...same(from.slice(from.length - end)),
  ];
}

/**
 * Returns the smallest difference of two lists of lines, based on the longest common subsequence. For longer lists, see `MOST_COMPARED`.
 */
function changed(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  if (from.length * to.length > MOST_COMPARED ** 2) {
    return [...from.map((text) => ({ sign: '-', text }) as const), ...to.map((text) => ({ sign: '+', text }) as const)];
  }
  const lengths = commonLengths(from, to);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const [old, fresh] = [from[i], to[j]];
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old });
      i++;
      j++;
    } else if (fresh === undefined || (old !== undefined && lengths.at(i + 1, j) >= lengths.at(i, j + 1))) {
      lines.push({ sign: '-', text: old ?? '' });
      i++;
    } else {
      lines.push({ sign: '+', text: fresh });
      j++;
    }
  }
  return lines;
}

/**
 * Computes lengths of longest common subsequences. `at(i, j)` is the length for the lines of `from` from index `i` on and the lines of `to`
 * from index `j` on.
 */
function commonLengths(from: readonly string[], to: readonly string[]): { at(i: number, j: number): number } {
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      lengths[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return { at };
}
