import { isUrlRight, type Right, rightKey } from './right.js';
import { resourceMatches, urlMatches } from './rule-allows.js';

/** Whether who has the wide right may do all that the narrow one allows. */
export function covers(wide: Right, narrow: Right): boolean {
  if (wide.verb !== '*' && wide.verb !== narrow.verb) return false;
  if (isUrlRight(wide)) return isUrlRight(narrow) && urlMatches(wide.url, narrow.url);
  return (
    !isUrlRight(narrow) &&
    (wide.group === '*' || wide.group === narrow.group) &&
    resourceMatches(wide.resource, narrow.resource) &&
    (wide.name === undefined || wide.name === narrow.name) &&
    (wide.namespace === undefined || wide.namespace === narrow.namespace)
  );
}

/** The rights without those that another one of them covers; sorted, each once. */
export function widestOf(rights: Iterable<Right>): readonly Right[] {
  const byKey = new Map([...rights].map((right) => [rightKey(right), right]));
  const sorted = [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? []);
  // Of two that cover each other the first stays.
  return sorted.filter(
    (right, at) =>
      !sorted.some((other, before) => at !== before && covers(other, right) && (before < at || !covers(right, other))),
  );
}
