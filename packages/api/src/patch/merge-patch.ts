import { getField, isJsonObject, setField } from '../json/json-object.js';
import { deepEqual } from './deep-equal.js';

/**
 * Returns the smallest RFC 7386 patch that changes `from` to `to`, or undefined if the values are equal. An undefined property counts as
 * absent. A merge patch cannot set null: if a key is null in `to`, the patch removes the key.
 */
export function mergePatch(from: unknown, to: unknown): unknown {
  if (from === to) return undefined;
  if (!isJsonObject(from) || !isJsonObject(to)) return deepEqual(from, to) ? undefined : to;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && getField(to, key) === undefined) setField(patch, key, null);
  }
  for (const key of Object.keys(to)) {
    const after = to[key];
    if (after === undefined) continue;
    const before = getField(from, key);
    const change = before === undefined ? after : mergePatch(before, after);
    if (change !== undefined) setField(patch, key, change);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
