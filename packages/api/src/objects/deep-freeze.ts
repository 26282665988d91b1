/**
 * Freezes a value and all values in it, and returns the value. A value that is already frozen is assumed to be frozen at every depth.
 * @example
 * deepFreeze({ spec: { image: 'debian-12' } }); // a later write to spec.image throws a TypeError
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') deepFreeze(item);
  } else {
    for (const key in value) {
      const part = value[key];
      if (typeof part === 'object') deepFreeze(part);
    }
  }
  return Object.freeze(value);
}
