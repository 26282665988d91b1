import type { ApiObject, ObjectKey } from './api-object.js';

/**
 * The objects of one resource in the order of lists: by namespace, then by name.
 * - The first `list` sorts the objects. Later writes keep the order, so no later list sorts all objects again.
 * - A write never changes a returned list.
 */
export class Bucket {
  readonly #objects = new Map<string, ApiObject>();
  /** The sorted objects. Undefined before the first `list`. */
  #sorted: ApiObject[] | undefined;
  /** Whether a caller can have a reference to `#sorted`. The next write then copies the array. */
  #isShared = false;
  /** The cached lists of single namespaces since the last write. */
  readonly #byNamespace = new Map<string, readonly ApiObject[]>();

  get(key: ObjectKey): ApiObject | undefined {
    return this.#objects.get(keyText(key));
  }

  /** Adds the object, or replaces the object with the same key. */
  set(object: ApiObject): void {
    const { size } = this.#objects;
    this.#objects.set(keyText(object.metadata), object);
    const sorted = this.#writable();
    if (sorted === undefined) return;
    const at = firstAt(sorted, object.metadata);
    if (size === this.#objects.size) sorted[at] = object;
    else if (at === sorted.length) sorted.push(object);
    else sorted.splice(at, 0, object);
  }

  delete(key: ObjectKey): void {
    if (!this.#objects.delete(keyText(key))) return;
    const sorted = this.#writable();
    sorted?.splice(firstAt(sorted, key), 1);
  }

  /** Returns all objects, or the objects of one namespace. */
  list(namespace?: string): readonly ApiObject[] {
    this.#sorted ??= [...this.#objects.values()].toSorted(compareObjects);
    if (namespace === undefined) {
      this.#isShared = true;
      return this.#sorted;
    }
    let objects = this.#byNamespace.get(namespace);
    if (objects === undefined) {
      objects = ofNamespace(this.#sorted, namespace);
      this.#byNamespace.set(namespace, objects);
    }
    return objects;
  }

  /**
   * Returns the list without the effect of later writes. `earlier` contains the earlier object of each later written key, or undefined for
   * an object that did not exist.
   */
  listBefore(earlier: ReadonlyMap<string, ApiObject | undefined>, namespace?: string): readonly ApiObject[] {
    const objects: ApiObject[] = [];
    const restored = [...earlier.values()].filter((object) => object !== undefined).toSorted(compareObjects);
    let next = 0;
    for (const object of this.list()) {
      if (earlier.has(keyText(object.metadata))) continue;
      for (let old = restored[next]; old !== undefined && compareObjects(old, object) < 0; old = restored[next]) {
        objects.push(old);
        next += 1;
      }
      objects.push(object);
    }
    for (; next < restored.length; next += 1) objects.push(restored[next] as ApiObject);
    return namespace === undefined ? objects : ofNamespace(objects, namespace);
  }

  /** Returns the sorted objects for a write. Returns undefined before the first `list`. */
  #writable(): ApiObject[] | undefined {
    this.#byNamespace.clear();
    if (this.#sorted !== undefined && this.#isShared) {
      this.#sorted = this.#sorted.slice();
      this.#isShared = false;
    }
    return this.#sorted;
  }
}

/** Returns the key as a string that identifies the object within its bucket. */
export function keyText({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ''}/${name}`;
}

/** Returns the objects of one namespace from a sorted list. */
function ofNamespace(sorted: readonly ApiObject[], namespace: string): readonly ApiObject[] {
  const from = firstAt(sorted, { namespace, name: '' });
  let to = from;
  while (to < sorted.length && sorted[to]?.metadata.namespace === namespace) to += 1;
  return sorted.slice(from, to);
}

/** Returns the index of the first object whose key is not before the given key. */
function firstAt(sorted: readonly ApiObject[], key: ObjectKey): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys((sorted[middle] as ApiObject).metadata, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareObjects({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  return compareKeys(a, b);
}

function compareKeys(a: ObjectKey, b: ObjectKey): number {
  const order = compareText(a.namespace ?? '', b.namespace ?? '');
  return order === 0 ? compareText(a.name, b.name) : order;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
