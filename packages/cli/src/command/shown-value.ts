import { stringifyJson } from '@kubewright/api/json';

const LONGEST = 60;
/** How much of what two long values have in common is shown before their first difference. */
const BEFORE = 15;

/** A value of an object in one short piece; `(none)` for what is not there. */
export function shownValue(value: unknown): string {
  return value === undefined ? '(none)' : shortened(stringifyJson(value));
}

/** Returns two values that differ, each in one short piece that begins before their first difference. */
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
