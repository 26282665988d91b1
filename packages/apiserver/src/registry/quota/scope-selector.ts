import type { JsonObject } from '../objects/api-object.js';

/**
 * Whether the names match the selector. `In` requires a listed name, and `NotIn` a name that is not listed. `NotIn` and `DoesNotExist`
 * match an empty list.
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
