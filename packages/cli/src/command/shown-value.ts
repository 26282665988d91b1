import { stringifyJson } from '@kubewright/api/json';

const LONGEST = 60;

/** A value of an object in one short piece; `(none)` for what is not there. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '(none)';
  const text = stringifyJson(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
