import { stringifyJson } from '@kubewright/api/json';

const LONGEST = 60;
/** The number of common characters that are shown before the first difference of two long values. */
const BEFORE = 15;

/** Returns a short text for a value of an object; `(none)` for undefined. */
export function shownValue(value: unknown): string {
  return value === undefined ? '(none)' : shortened(stringifyJson(value));
}

/** Returns short texts for two different values. The texts of long values start shortly before the first difference. */
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
