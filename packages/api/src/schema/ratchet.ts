import type { Correlation } from './correlation.js';
import type { FieldError } from './field-error.js';
import type { Findings, Place } from './findings.js';

/** Returns the errors that a change of an object causes. Omits the errors in unchanged values. */
export function ratchet(findings: Findings, root: Correlation): readonly FieldError[] {
  return findings
    .distinct()
    .filter(({ place }) => !isUnchanged(place, root))
    .map(({ error }) => error);
}

/**
 * Whether the value at a place, or an object or list that contains the value, is unchanged. In a changed object, apiVersion and kind never
 * count as unchanged.
 */
function isUnchanged(place: Place, root: Correlation): boolean {
  const keys = keysOf(place);
  if (root.unchanged) return true;
  if (keys[0] === 'apiVersion' || keys[0] === 'kind') return false;
  let at: Correlation | undefined = root;
  for (const key of keys) {
    at = typeof key === 'number' ? at.index(key) : at.key(key);
    if (at === undefined) return false;
    if (at.unchanged) return true;
  }
  return false;
}

/** Returns the keys that lead from the whole value to the place. */
function keysOf(place: Place): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.around) keys.push(at.key);
  return keys.toReversed();
}
