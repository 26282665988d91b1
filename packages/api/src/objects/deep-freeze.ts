/**
 * Freezes a value and all that is in it, and returns it. What is frozen already is taken to be frozen all the way down.
 *
 * @example
 * deepFreeze({ spec: { image: 'debian-12' } }); // a write to spec.image throws a TypeError from now on
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
