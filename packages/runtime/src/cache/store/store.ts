import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { Change } from './change.js';
import { declarationOf, type Index, unknownIndex } from './index-declaration.js';
import { ObjectIndex } from './object-index.js';
import { sizeOf } from './object-size.js';

/** The key for the namespace of cluster-scoped objects. */
const NO_NAMESPACE = '';

type Names<T> = Map<string, T>;

/**
 * The last known states of the objects of one kind, with indexes. Readers see each operation as a single step. Objects are frozen before
 * they are stored, and are shared with readers.
 */
export class Store<T extends KubeObject> {
  readonly #namespaces = new Map<string, Names<T>>();
  readonly #indexes = new Map<string, ObjectIndex<T>>();
  readonly #onIndexError: (error: unknown, object: T) => void;
  #size = 0;
  #bytes = 0;

  constructor(onIndexError: (error: unknown, object: T) => void) {
    this.#onIndexError = onIndexError;
  }

  get size(): number {
    return this.#size;
  }

  /** The total size of the JSON of all objects, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: ObjectKey): T | undefined {
    return this.#namespaces.get(key.namespace ?? NO_NAMESPACE)?.get(key.name);
  }

  /** Returns the objects in the namespaces for which `covers` returns true. */
  listIn(covers: (namespace: string) => boolean): readonly T[] {
    const objects: T[] = [];
    for (const [namespace, names] of this.#namespaces)
      if (covers(namespace)) for (const object of names.values()) objects.push(object);
    return objects;
  }

  /** Returns a new list of the objects of one namespace, or of all objects if no namespace is given. */
  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#namespaces.get(namespace)?.values() ?? [])];
    const objects: T[] = [];
    for (const names of this.#namespaces.values()) for (const object of names.values()) objects.push(object);
    return objects;
  }

  /**
   * Stores an object. Returns the resulting changes: none if the stored object has the same version, and two if an object with the same
   * name was recreated. `initial` is the property of an addition.
   */
  put(object: T, initial = false): readonly Change<T>[] {
    const old = this.get(object.metadata);
    if (old === undefined) {
      this.#set(object);
      return [{ type: 'added', object, initial }];
    }
    if (isSameVersion(old, object)) return [];
    this.#unindex(old);
    this.#bytes -= sizeOf(old);
    this.#set(object);
    return changesBetween(old, object, initial);
  }

  /**
   * Removes an object. `last` is its state at the deletion, if known. If `last` is another object, the deletion of the stored object was
   * missed, and the returned change is `stale`.
   */
  remove(key: ObjectKey, last?: T): readonly Change<T>[] {
    const old = this.get(key);
    if (old === undefined) return [];
    this.#unindex(old);
    const namespace = key.namespace ?? NO_NAMESPACE;
    const names = this.#namespaces.get(namespace);
    names?.delete(key.name);
    if (names?.size === 0) this.#namespaces.delete(namespace);
    this.#size--;
    this.#bytes -= sizeOf(old);
    return last !== undefined && last.metadata.uid === old.metadata.uid
      ? [{ type: 'deleted', object: last, stale: false }]
      : [{ type: 'deleted', object: old, stale: true }];
  }

  /**
   * Replaces the objects of the covered namespaces in one step. By default, replaces all objects. Objects that are not in the list are
   * deleted with their last known state. Returns the changes, with deletions first. Keeps the stored instance of an object whose version
   * did not change.
   */
  replace(
    objects: readonly T[],
    options: { readonly covers?: ((namespace: string) => boolean) | undefined; readonly initial: boolean },
  ): readonly Change<T>[] {
    const before = new Set(options.covers === undefined ? this.list() : this.listIn(options.covers));
    const deletions: Change<T>[] = [];
    const changes: Change<T>[] = [];
    for (const object of objects) {
      const old = this.get(object.metadata);
      if (old !== undefined) before.delete(old);
      for (const change of this.put(object, options.initial))
        (change.type === 'deleted' ? deletions : changes).push(change);
    }
    for (const deleted of before) append(deletions, this.remove(deleted.metadata));
    return deletions.length === 0 ? changes : [...deletions, ...changes];
  }

  /**
   * Adds an index for existing and later objects. Has no effect if an index with the same name and the same function was already added.
   * Functions with the same source text count as the same. Throws INDEX_EXISTS if the name belongs to an index with another function.
   */
  addIndex(index: Index<T>): void {
    const { values } = declarationOf(index);
    const known = this.#indexes.get(index.name);
    if (known !== undefined) {
      if (known.values === values || String(known.values) === String(values)) return;
      throw new KubewrightError('INDEX_EXISTS', `an index named '${index.name}' already exists: use a different name`);
    }
    const added = new ObjectIndex<T>(values, this.#onIndexError);
    for (const object of this.list()) added.add(object);
    this.#indexes.set(index.name, added);
  }

  /** Removes an index that was added. Does not remove another index with the same name. */
  removeIndex(index: Index<T>): void {
    if (this.#indexes.get(index.name)?.values === declarationOf(index).values) this.#indexes.delete(index.name);
  }

  /** Returns the index with this name. Throws UNKNOWN_INDEX if there is no such index. */
  index(name: string): ObjectIndex<T> {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    throw unknownIndex(name, [...this.#indexes.keys()]);
  }

  #set(object: T): void {
    const namespace = object.metadata.namespace ?? NO_NAMESPACE;
    let names = this.#namespaces.get(namespace);
    if (names === undefined) this.#namespaces.set(namespace, (names = new Map()));
    const before = names.size;
    names.set(object.metadata.name, object);
    this.#size += names.size - before;
    this.#bytes += sizeOf(object);
    for (const index of this.#indexes.values()) index.add(object);
  }

  #unindex(object: T): void {
    for (const index of this.#indexes.values()) index.remove(object);
  }
}

/** Whether two objects with the same key are the same state of the same object. */
function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.resourceVersion === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid;
}

function changesBetween<T extends KubeObject>(old: T, object: T, initial: boolean): readonly Change<T>[] {
  if (old.metadata.uid === object.metadata.uid) return [{ type: 'modified', object, old }];
  return [
    { type: 'deleted', object: old, stale: true },
    { type: 'added', object, initial },
  ];
}
