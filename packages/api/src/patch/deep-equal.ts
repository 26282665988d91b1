import { isJsonObject } from '../json/json-object.js';

/** Whether two JSON values are equal. The order of keys does not matter. An undefined property counts as absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
  return isJsonObject(a) && isJsonObject(b) && sameFields(a, b);
}

function sameFields(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value !== undefined && !(Object.hasOwn(b, key) && deepEqual(value, b[key]))) return false;
  }
  for (const key of Object.keys(b)) {
    if (b[key] !== undefined && !(Object.hasOwn(a, key) && a[key] !== undefined)) return false;
  }
  return true;
}
