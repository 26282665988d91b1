import type { ApiObject, ObjectKey } from './api-object.js';

/** Consecutive objects of a sorted list. A chunk is never empty. Only its owner changes its objects. */
export interface Chunk {
  readonly objects: ApiObject[];
  readonly owner: object;
}

/** Returns the index of the chunk that contains a key or its place: the last chunk that does not begin after the key, or 0. */
export function firstChunk(chunks: readonly Chunk[], key: ObjectKey): number {
  const firstOf = (at: number): ApiObject => (chunks[at] as Chunk).objects[0] as ApiObject;
  const isAfter = (at: number): boolean => compareKeys(firstOf(at).metadata, key) > 0;
  return Math.max(0, firstIndex(chunks.length, isAfter) - 1);
}

/** Returns the index of the first object whose key is not before the given key. */
export function firstIn(objects: readonly ApiObject[], key: ObjectKey): number {
  return firstIndex(objects.length, (at) => compareKeys((objects[at] as ApiObject).metadata, key) >= 0);
}

/** Whether the object at an index has the given key. */
export function isAt(objects: readonly ApiObject[], index: number, key: ObjectKey): boolean {
  const object = objects[index];
  return object !== undefined && compareKeys(object.metadata, key) === 0;
}

/**
 * Returns the first index below `length` for which the test is true, or `length`. The test must be true for all later indexes. Tests the
 * last index first, because most new objects of a restart are appended.
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
