import { stringifyJson } from '@kubewright/api/json';

const LONGEST = 60;
/** The number of equal characters that `shownDifference` includes before the first difference of two long values. */
const BEFORE = 15;

/** Returns a field value as JSON, shortened to 60 characters; `(none)` for undefined. */
export function shownValue(value: unknown): string {
  return value === undefined ? '(none)' : shortened(stringifyJson(value));
}

/**
 * Returns two different field values as JSON, shortened to 60 characters. If a value is longer and the first 30 characters are equal, both
 * texts start 15 characters before the first difference, with an ellipsis. For undefined, returns `(none)`.
 */
export function shownDifference(from: unknown, to: unknown): readonly [from: string, to: string] {
  if (from === undefined || to === undefined) return [shownValue(from), shownValue(to)];
  const texts = [stringifyJson(from), stringifyJson(to)] as const;
  if (texts.every((text) => text.length <= LONGEST)) return texts;
  const [one, other] = texts;
  let first = 0;
  while (first < one.length && one[first] === other[first]) first++;
  if (first < LONGEST / 2) return [shortened(one), shortened(other)];
  const start = first - BEFORE;
  return [shortened(`…${one.slice(start)}`), shortened(`…${other.slice(start)}`)];
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
