import type { ApiObject, ObjectKey } from './api-object.js';
import { type Chunk, firstChunk, firstIn } from './object-chunks.js';

/** The objects of a list at one point in time, sorted by namespace and then by name. Later writes do not change a range. */
export class ObjectRange implements Iterable<ApiObject> {
  static readonly empty = new ObjectRange([], { first: 0, end: 0 });
  readonly #chunks: readonly Chunk[];
  /** The index of the first object of the range, and the index after the last object. Both indexes count the objects of all chunks. */
  readonly #first: number;
  readonly #end: number;

  constructor(chunks: readonly Chunk[], { first, end }: { readonly first: number; readonly end: number }) {
    this.#chunks = chunks;
    this.#first = first;
    this.#end = Math.max(first, end);
  }

  get length(): number {
    return this.#end - this.#first;
  }

  /** Returns the objects whose keys are equal to or after the given key. */
  from(key: ObjectKey): ObjectRange {
    return new ObjectRange(this.#chunks, { first: Math.max(this.#first, this.#position(key)), end: this.#end });
  }

  /** Returns the objects of one namespace. */
  ofNamespace(namespace: string): ObjectRange {
    // No namespace sorts between a name and the same name with a zero byte.
    const end = Math.min(this.#end, this.#position({ namespace: `${namespace}\0`, name: '' }));
    return new ObjectRange(this.#chunks, { first: this.#first, end }).from({ namespace, name: '' });
  }

  /** Returns the objects from index `from` to before index `to` as an array. */
  slice(from: number, to: number): readonly ApiObject[] {
    const first = this.#first + from;
    return [...new ObjectRange(this.#chunks, { first, end: Math.min(this.#end, this.#first + to) })];
  }

  *[Symbol.iterator](): Generator<ApiObject, undefined> {
    let begin = 0;
    for (const { objects } of this.#chunks) {
      if (begin >= this.#end) break;
      const end = Math.min(objects.length, this.#end - begin);
      for (let at = Math.max(0, this.#first - begin); at < end; at += 1) yield objects[at] as ApiObject;
      begin += objects.length;
    }
    return undefined;
  }

  /** Returns the index of the first object whose key is equal to or after the given key, counted over all chunks. */
  #position(key: ObjectKey): number {
    const at = firstChunk(this.#chunks, key);
    let position = firstIn(this.#chunks[at]?.objects ?? [], key);
    for (let before = 0; before < at; before += 1) position += (this.#chunks[before] as Chunk).objects.length;
    return position;
  }
}
