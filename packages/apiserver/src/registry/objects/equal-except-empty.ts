import { isObject } from './json-object.js';

/**
 * Whether two JSON values are equal, ignoring the difference between unset, null and empty lists. kube-apiserver compares the fields of
 * built-in objects in this way.
 */
export function equalExceptEmpty(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isNone(a) || isNone(b)) return isNone(a) && isNone(b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalExceptEmpty(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    equalExceptEmpty(own(a, key), own(b, key)),
  );
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined;
}
