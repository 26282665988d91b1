import type { ApiObject, ObjectKey } from './api-object.js';
import { type Chunk, firstChunk, firstIn, isAt } from './object-chunks.js';
import { ObjectRange } from './object-range.js';

/** The maximum number of objects in a chunk. A write copies or moves at most this number of references to objects. */
const mostInChunk = 512;

/**
 * The objects of one resource in the order of lists: by namespace, then by name.
 * - Reads and writes of one object find the chunk and the object with binary searches.
 * - `range` and `copy` do not copy the objects. A later write never changes their results.
 * - The first write after `range` or `copy` copies the list of chunks, and the first write to each chunk copies this chunk.
 */
export class SortedObjects {
  #chunks: Chunk[];
  #size: number;
  /**
   * The owner of the chunks that can be changed in place. Ranges and copies can contain chunks of other owners, so a write copies these
   * chunks.
   */
  #owner: object = {};
  /** Whether a range or a copy can have a reference to `#chunks`. */
  #isShared = false;

  private constructor(chunks: Chunk[], size: number) {
    this.#chunks = chunks;
    this.#size = size;
  }

  static empty(): SortedObjects {
    return new SortedObjects([], 0);
  }

  get size(): number {
    return this.#size;
  }

  get(key: ObjectKey): ApiObject | undefined {
    const objects = this.#chunks[firstChunk(this.#chunks, key)]?.objects ?? [];
    const index = firstIn(objects, key);
    return isAt(objects, index, key) ? objects[index] : undefined;
  }

  /** Adds the object, or replaces the object with the same key. */
  set(object: ApiObject): void {
    const key = object.metadata;
    const at = firstChunk(this.#chunks, key);
    const objects = this.#writable(at);
    const index = firstIn(objects, key);
    if (isAt(objects, index, key)) {
      objects[index] = object;
      return;
    }
    this.#size += 1;
    if (objects.length < mostInChunk) objects.splice(index, 0, object);
    else this.#split(at, { objects, index, object });
  }

  delete(key: ObjectKey): void {
    const at = firstChunk(this.#chunks, key);
    const found = this.#chunks[at]?.objects ?? [];
    const index = firstIn(found, key);
    if (!isAt(found, index, key)) return;
    const objects = this.#writable(at);
    objects.splice(index, 1);
    this.#size -= 1;
    if (objects.length === 0) this.#chunks.splice(at, 1);
  }

  /** Returns the current objects, or the current objects of one namespace. */
  range(namespace?: string): ObjectRange {
    const all = new ObjectRange(this.#share(), { first: 0, end: this.#size });
    return namespace === undefined ? all : all.ofNamespace(namespace);
  }

  /** Returns a copy. Later writes to the copy do not change this list, and later writes to this list do not change the copy. */
  copy(): SortedObjects {
    const copy = new SortedObjects(this.#share(), this.#size);
    copy.#isShared = true;
    return copy;
  }

  #share(): Chunk[] {
    this.#owner = {};
    this.#isShared = true;
    return this.#chunks;
  }

  /**
   * Returns the objects of a chunk for a change in place. Copies the chunk first if a range or a copy can contain the chunk. Creates the
   * chunk if the list has no chunk at this index.
   */
  #writable(at: number): ApiObject[] {
    if (this.#isShared) {
      this.#chunks = [...this.#chunks];
      this.#isShared = false;
    }
    const chunk = this.#chunks[at];
    if (chunk?.owner === this.#owner) return chunk.objects;
    const objects = [...(chunk?.objects ?? [])];
    this.#chunks[at] = { objects, owner: this.#owner };
    return objects;
  }

  /**
   * Adds an object to a full chunk, and divides the chunk. An object at the end goes to a new chunk, so chunks stay full when objects are
   * added in sorted order.
   */
  #split(
    at: number,
    { objects, index, object }: { readonly objects: ApiObject[]; readonly index: number; readonly object: ApiObject },
  ): void {
    const upper = index === mostInChunk ? [] : objects.splice(mostInChunk / 2);
    if (index > objects.length || upper.length === 0) upper.splice(index - objects.length, 0, object);
    else objects.splice(index, 0, object);
    this.#chunks.splice(at + 1, 0, { objects: upper, owner: this.#owner });
  }
}
