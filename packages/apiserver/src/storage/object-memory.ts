import { getHeapStatistics } from 'node:v8';

const MiB = 1024 * 1024;
/** The estimated memory of a number or a boolean, and of a text beside its characters. */
const valueBytes = 32;
/** The estimated memory of an empty object. */
const objectBytes = 64;
/** The estimated memory of a key beside its characters. */
const keyBytes = 8;
/** Texts with characters outside of Latin-1 take 2 bytes for each UTF-16 unit. */
const unitBytes = 2;

const heapBytes = getHeapStatistics().heap_size_limit;

/** The estimated memory of a stored object beside its fields, for example for its key and its event. */
const storedObjectBytes = 1024;
/** The most bytes of objects that a store holds, estimated: two fifths of the heap of the process. */
export const mostStoredBytes = Math.floor(heapBytes * 0.4);
/** The most bytes of objects that events hold, estimated: 64 MiB, or less if the heap of the process is small. */
export const mostLoggedBytes = Math.min(64 * MiB, Math.floor(heapBytes * 0.1));

/** The estimates of large parts of objects. They hold for frozen parts only, which objects share with their earlier versions. */
const known = new WeakMap<object, number>();
const largeBytes = 16 * 1024;
/** The levels of the parts with known estimates: an object, its fields, and the fields of these. */
const knownLevels = 3;

/** Estimates the memory of an object of a store in bytes. The estimate is usually too high, and up to twice the memory of long Latin-1 texts. */
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
