import { Breaks } from '../apply/breaks.js';
import { finish, type Steps } from '../apply/steps.js';
import { getField, isJsonObject, setField } from '../json/json-object.js';

/**
 * Applies an RFC 7386 merge patch: null removes a key, an object is merged, and any other value replaces the existing value. Does not
 * change the document. The result shares unpatched values with the document, and a patch without changes returns `document`.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return finish(applyMergePatchSteps(document, patch));
}

/** Applies a merge patch in steps. */
export function* applyMergePatchSteps(document: unknown, patch: unknown, breaks = new Breaks()): Steps<unknown> {
  if (!isJsonObject(patch)) return isJsonObject(document) ? patch : yield* withoutNulls(patch, breaks);
  const target = isJsonObject(document) ? document : undefined;
  let result: Record<string, unknown> | undefined = target === undefined ? {} : undefined;
  for (const key of Object.keys(patch)) {
    if (breaks.isDue()) yield;
    const change = patch[key];
    if (change === undefined) continue;
    const before = target === undefined ? undefined : getField(target, key);
    if (change === null) {
      if (target === undefined || !Object.hasOwn(target, key)) continue;
      result ??= { ...target };
      delete result[key];
      continue;
    }
    const after = typeof change === 'object' ? yield* applyMergePatchSteps(before, change, breaks) : change;
    if (after === before) continue;
    result ??= { ...target };
    setField(result, key, after);
  }
  return result ?? document;
}

/**
 * Returns a new value without null fields. Unlike the RFC, the API server also removes null fields from maps in a list. Not for a list that
 * replaces a map, because the API server keeps the null fields in such a list.
 */
function* withoutNulls(value: unknown, breaks: Breaks): Steps<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      items.push(typeof item === 'object' ? yield* withoutNulls(item, breaks) : item);
      if (breaks.isDue()) yield;
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field !== null) setField(result, key, yield* withoutNulls(field, breaks));
    if (breaks.isDue()) yield;
  }
  return result;
}
