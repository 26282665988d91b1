import { emptyObject } from './json-object.js';

/** Whether the value is a JSON object (not null, not a list). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path, or undefined when a step is missing. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const step of path) {
    if (!isObject(current)) return undefined;
    current = current[step];
  }
  return current;
}

/** The object at the path; an empty one, not attached, when there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : emptyObject();
}

/** The objects of the list at the path; an empty list, not attached, when there is none. */
export function objectsAt(value: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The string at the path; '' when there is none. */
export function stringAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The number at the path, or undefined. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}
