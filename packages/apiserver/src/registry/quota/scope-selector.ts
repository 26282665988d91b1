import type { JsonObject } from '../objects/api-object.js';

/**
 * Whether the names match the scope selector. `In` matches if `values` contains one of the names. `NotIn` matches if a name is not in
 * `values`, or if there are no names. `DoesNotExist` matches only an empty list of names, and `Exists` only a list with names.
 */
export function matchesNames({ operator, values }: JsonObject, names: readonly string[]): boolean {
  const listed = (name: string): boolean => Array.isArray(values) && values.includes(name);
  switch (operator) {
    case 'In':
      return names.some(listed);
    case 'NotIn':
      return names.length === 0 || !names.every(listed);
    case 'DoesNotExist':
      return names.length === 0;
    default:
      return names.length > 0;
  }
}
