import { emptyObject } from './json-object.js';

/** Whether the value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value at the path, or undefined if a step is missing. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (!isObject(current)) return undefined;
    current = current[step];
  }
  return current;
}

/** Returns the object at the path, or a new empty object if the path does not lead to an object. */
export function objectAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : emptyObject();
}

/** Returns the objects of the list at the path, or a new empty list if the path does not lead to a list. */
export function objectsAt(value: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** Returns the string at the path, or ''. */
export function stringAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Returns the number at the path, or undefined. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}
