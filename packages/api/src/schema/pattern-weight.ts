/** The maximum number of repetitions of a part of a pattern that Go accepts. The numbers of nested repetitions are multiplied. */
const MOST_REPEATS = 1000;
/** The weight of a Unicode class such as `\pL`, which has hundreds of ranges. */
const CLASS_WEIGHT = 40;

/** A part of a pattern: its weight, and the largest number of repetitions of any part within it. */
interface Part {
  weight: number;
  repeats: number;
}

/**
 * Returns the length of a pattern with all repetitions written out. The number of instructions of the compiled pattern is at most twice
 * this length plus 8, and the compile time is proportional to the number of instructions. Returns 0 if the pattern repeats a part more
 * often than Go accepts, because Go then rejects the pattern before it compiles the repetitions.
 */
export function patternWeight(pattern: string): number {
  const open: Part[] = [];
  let sum: Part = { weight: 0, repeats: 1 };
  let last: Part = { weight: 0, repeats: 1 };
  const token =
    /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[^])|\\x\{[^}]*\}|\\[^]|\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]|\{(0|[1-9]\d*)(?:,(0|[1-9]\d*|))?\}|[^]/gu;
  const classes = /\[\^?\]?(?:\[:[^\]]*:\]|\\[^]|[^\]])*(?:\]|$)/gu;
  for (let at = 0; at < pattern.length; at = token.lastIndex) {
    if (pattern[at] === '[') {
      classes.lastIndex = at;
      const [text = ''] = classes.exec(pattern) ?? [];
      last = add(sum, text.length + CLASS_WEIGHT * (text.match(/\\[pP]|\[:/g)?.length ?? 0));
      token.lastIndex = at + Math.max(1, text.length);
      continue;
    }
    token.lastIndex = at;
    const found = token.exec(pattern);
    if (found === null) break;
    const [text, least, most] = found;
    // Flags such as `(?i)` are not repeated: a repetition after flags applies to the part before the flags.
    if (/^\(\?.*\)$/.test(text)) continue;
    if (text.startsWith('(')) {
      open.push(sum);
      sum = { weight: 2, repeats: 1 };
    } else if (text === ')') {
      const group = sum;
      sum = open.pop() ?? { weight: 0, repeats: 1 };
      last = add(sum, group.weight, group.repeats);
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1);
      if (last.repeats * times > MOST_REPEATS) return 0;
      sum.weight += last.weight * (times - 1);
      last = { weight: last.weight * times, repeats: last.repeats * times };
      sum.repeats = Math.max(sum.repeats, last.repeats);
    } else if (/^[*+?]$/.test(text)) {
      // A repetition after this operator can follow flags, as in `a*(?i){9}`, and applies to the part together with the operator.
      sum.weight += 1;
      last = { weight: last.weight + 1, repeats: last.repeats };
    } else last = add(sum, /^\\[pP]/.test(text) ? CLASS_WEIGHT : text.length);
  }
  return open.reduce((weight, part) => weight + part.weight, sum.weight);
}

function add(sum: Part, weight: number, repeats = 1): Part {
  sum.weight += weight;
  sum.repeats = Math.max(sum.repeats, repeats);
  return { weight, repeats };
}
