import { isJsonObject } from '../json/json-object.js';

/** Whether two JSON values are equal. The order of keys does not matter. An undefined property counts as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isJsonObject(a) && isJsonObject(b) && sameFields(a, b);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!deepEqual(a[at], b[at])) return false;
  return true;
}

// `for … in` does not create a list of the keys.
function sameFields(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  for (const key in a) {
    const value = a[key];
    if (value !== undefined && !(Object.hasOwn(b, key) && deepEqual(value, b[key]))) return false;
  }
  for (const key in b) {
    if (b[key] !== undefined && !(Object.hasOwn(a, key) && a[key] !== undefined)) return false;
  }
  return true;
}
