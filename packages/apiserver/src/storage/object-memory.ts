import { oldSpaceBytes } from './old-space.js';

const MiB = 1024 * 1024;
/** The estimated memory of a number or a boolean, and of a string without its characters. */
const valueBytes = 32;
/** The estimated memory of an empty object. */
const objectBytes = 64;
/** The estimated memory of a key without its characters. */
const keyBytes = 8;
/** The estimated memory of a UTF-16 unit of a string. Strings that contain only Latin-1 characters take half of this memory. */
const unitBytes = 2;

const heapBytes = oldSpaceBytes();

/**
 * The estimated memory of a stored object in addition to its JSON value, for example for its entry in the list of objects and for its
 * event.
 */
const storedObjectBytes = 1024;
/** The maximum estimated memory of the objects of a store, in bytes: two fifths of the heap for long-lived objects. */
export const mostStoredBytes = Math.floor(heapBytes * 0.4);
/**
 * The maximum estimated memory of the objects of events, in bytes: 64 MiB, or a tenth of the heap for long-lived objects if that is less.
 */
export const mostLoggedBytes = Math.min(64 * MiB, Math.floor(heapBytes * 0.1));

/**
 * The estimated memory of large values in objects. Only frozen values have entries, because other values can still change. New versions of
 * an object share frozen values with earlier versions, so the estimate of a shared value is computed only once.
 */
const known = new WeakMap<object, number>();
const largeBytes = 16 * 1024;
/** The number of levels with stored estimates: an object, its fields, and the fields of these fields. */
const knownLevels = 3;

/**
 * Returns the estimated memory of an object in a store, in bytes. The estimate is usually too high, by up to a factor of 2 for long Latin-1
 * strings.
 */
export function storedBytes(object: object): number {
  return storedObjectBytes + estimatedBytes(object, knownLevels);
}

function estimatedBytes(value: unknown, levels: number): number {
  if (typeof value === 'string') return valueBytes + value.length * unitBytes;
  if (typeof value !== 'object' || value === null) return valueBytes;
  const before = levels > 0 ? known.get(value) : undefined;
  if (before !== undefined) return before;
  let bytes = objectBytes;
  if (Array.isArray(value)) {
    for (const each of value) bytes += estimatedBytes(each, levels - 1);
  } else {
    for (const key of Object.keys(value)) {
      const field = (value as Readonly<Record<string, unknown>>)[key];
      bytes += keyBytes + key.length * unitBytes + estimatedBytes(field, levels - 1);
    }
  }
  if (levels > 0 && bytes >= largeBytes && Object.isFrozen(value)) known.set(value, bytes);
  return bytes;
}
