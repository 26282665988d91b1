import { emptyObject } from './json-object.js';
import { isObject } from './value-at.js';

/** Returns a deep copy of a JSON value. The objects in the copy do not have inherited properties. Omits fields that are undefined. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T;
  if (!isObject(value)) return value;
  const copy = emptyObject();
  for (const key of Object.keys(value)) if (value[key] !== undefined) copy[key] = copyJson(value[key]);
  return copy as T;
}
