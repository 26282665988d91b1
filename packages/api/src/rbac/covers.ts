import { isUrlRight, type Right, rightKey } from './right.js';
import { resourceMatches, urlMatches } from './rule-allows.js';

/** Whether the wide permission includes everything that the narrow permission allows. */
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

/** Returns the permissions that no other permission covers, sorted and without duplicates. */
export function widestOf(rights: Iterable<Right>): readonly Right[] {
  const byKey = new Map([...rights].map((right) => [rightKey(right), right]));
  const sorted = [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? []);
  // If two permissions cover each other, the first is kept.
  return sorted.filter(
    (right, at) =>
      !sorted.some((other, before) => at !== before && covers(other, right) && (before < at || !covers(right, other))),
  );
}
