import type { ApiObject, ObjectKey } from './api-object.js';

/**
 * Consecutive objects of a sorted list. A chunk is never empty. `owner` identifies the list that can change the objects in place. All other
 * lists and ranges with this chunk only read the objects.
 */
export interface Chunk {
  readonly objects: ApiObject[];
  readonly owner: object;
}

/**
 * Returns the index of the chunk that contains the object with the key, or to which this object must be added. This is the last chunk whose
 * first key is not after the given key, or 0 if the first keys of all chunks are after the given key.
 */
export function firstChunk(chunks: readonly Chunk[], key: ObjectKey): number {
  const firstOf = (at: number): ApiObject => (chunks[at] as Chunk).objects[0] as ApiObject;
  const isAfter = (at: number): boolean => compareKeys(firstOf(at).metadata, key) > 0;
  return Math.max(0, firstIndex(chunks.length, isAfter) - 1);
}

/**
 * Returns the index of the first object whose key is equal to or after the given key, or the number of objects if all keys are before the
 * given key.
 */
export function firstIn(objects: readonly ApiObject[], key: ObjectKey): number {
  return firstIndex(objects.length, (at) => compareKeys((objects[at] as ApiObject).metadata, key) >= 0);
}

/** Whether the object at an index has the given key. */
export function isAt(objects: readonly ApiObject[], index: number, key: ObjectKey): boolean {
  const object = objects[index];
  return object !== undefined && compareKeys(object.metadata, key) === 0;
}

/**
 * Returns the first index below `length` for which the test is true, or `length` if the test is false for all indexes. If the test is true
 * for an index, it must also be true for all later indexes. Tests the last index first, because the objects that a restart restores are
 * usually added at the end.
 */
function firstIndex(length: number, test: (at: number) => boolean): number {
  if (length === 0 || !test(length - 1)) return length;
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compareKeys(a: ObjectKey, b: ObjectKey): number {
  const order = compareText(a.namespace ?? '', b.namespace ?? '');
  return order === 0 ? compareText(a.name, b.name) : order;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
