import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import type { Change } from './change.js';
import type { IndexMatch } from './index-declaration.js';
import { labelMatcher } from './label-match.js';
import type { ListOptions } from './list-options.js';
import { Overlay, type OwnWrite } from './overlay.js';
import type { ReadOptions } from './read-options.js';
import type { Store } from './store.js';

/**
 * If at most this number of objects are replaced, searching a list for each replaced object is faster than checking each object of the
 * list.
 */
const FEW = 16;

/** A store with an overlay of own writes that the watch has not delivered yet. Cached reads use this class. */
export class OverlaidStore<T extends KubeObject> {
  readonly overlay = new Overlay<T>();
  readonly #kind: string;
  readonly #store: Store<T>;
  readonly #isSelected: (object: KubeObject) => boolean;

  /** If an own write does not pass `isSelected`, reads return neither the written object nor the stored object. */
  constructor(
    store: Store<T>,
    options: { readonly kind: string; readonly isSelected: (object: KubeObject) => boolean },
  ) {
    this.#store = store;
    this.#kind = options.kind;
    this.#isSelected = options.isSelected;
  }

  get size(): number {
    let { size } = this.#store;
    if (this.overlay.isEmpty) return size;
    for (const write of this.overlay.values()) {
      const key = write.type === 'written' ? write.object.metadata : write.key;
      const stored = this.#store.get(key);
      size += Number(this.#seen(key, stored) !== undefined) - Number(stored !== undefined);
    }
    return size;
  }

  get(key: ObjectKey, { ownWrites = true }: ReadOptions = {}): T | undefined {
    const stored = this.#store.get(key);
    return this.overlay.isEmpty || !ownWrites ? stored : this.#seen(key, stored);
  }

  /**
   * Returns the objects that match the options. Throws UNSUPPORTED_READ for field selectors and continue tokens, UNKNOWN_INDEX if an index
   * was not added, INVALID_SELECTOR for invalid labels, and INVALID_OPTION for an invalid limit.
   */
  list(options: ListOptions<T> = {}): readonly T[] {
    checkCachedRead(this.#kind, options);
    const { namespace, index, labels, limit, ownWrites = true } = options;
    let objects = index === undefined ? this.#inNamespace(namespace, ownWrites) : this.byIndex(index, { ownWrites });
    if (index !== undefined && namespace !== undefined)
      objects = objects.filter((object) => object.metadata.namespace === namespace);
    if (labels !== undefined) objects = objects.filter(labelMatcher(labels));
    return limit === undefined || objects.length <= limit ? objects : objects.slice(0, limit);
  }

  /** Returns the objects that have all these index values. Throws UNKNOWN_INDEX if an index was not added. */
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[], { ownWrites = true }: ReadOptions = {}): readonly T[] {
    const [first, ...others] = isList(match) ? match : [match];
    if (first === undefined) return this.#inNamespace(undefined, ownWrites);
    const found = this.#byIndex(first, ownWrites);
    const tests = others.map(({ name, value }) => ({ index: this.#store.index(name), value }));
    return tests.length === 0
      ? found
      : found.filter((object) => tests.every(({ index, value }) => index.matches(object, value)));
  }

  /** Returns whether reads can return this object after an own write. */
  wouldRead(object: T): boolean {
    return this.#isSelected(object);
  }

  /**
   * Returns deletions for own writes that reads returned before a list, but whose objects are not in the list. No list or event has
   * reported these objects, so their deletion would otherwise not be reported. `before` contains the own writes before the list, and
   * `replaced` the changes of the list.
   */
  deletedUnobserved(before: readonly OwnWrite<T>[], replaced: readonly Change<T>[]): readonly Change<T>[] {
    if (before.length === 0) return [];
    const reported = new Set(replaced.map(({ object }) => object.metadata.uid));
    return before.flatMap((write): readonly Change<T>[] => {
      if (write.type !== 'written' || !this.#isSelected(write.object)) return [];
      const { metadata } = write.object;
      const isThere = this.get(metadata)?.metadata.uid === metadata.uid;
      return isThere || reported.has(metadata.uid) ? [] : [{ type: 'deleted', object: write.object, stale: true }];
    });
  }

  #byIndex(match: IndexMatch<T>, ownWrites: boolean): readonly T[] {
    const index = this.#store.index(match.name);
    const objects = [...(index.get(match.value) ?? [])];
    if (this.overlay.isEmpty || !ownWrites) return objects;
    const read = this.#withoutReplaced(objects);
    for (const write of this.overlay.values()) {
      if (write.type === 'written' && this.#isSelected(write.object) && index.matches(write.object, match.value))
        read.push(write.object);
    }
    return read;
  }

  /** Returns the object that a read of this key returns if the store contains `stored`. */
  #seen(key: ObjectKey, stored: T | undefined): T | undefined {
    const write = this.overlay.get(key);
    if (write === undefined) return stored;
    if (write.type === 'written') return this.#isSelected(write.object) ? write.object : undefined;
    return stored?.metadata.uid === write.uid ? undefined : stored;
  }

  /**
   * Removes the stored objects that own writes replace. Changes the passed list, so the caller must pass a copy of the stored list. The
   * cost depends mainly on the number of own writes.
   */
  #withoutReplaced(objects: T[]): T[] {
    const replaced = new Set<T>();
    for (const write of this.overlay.values()) {
      const key = write.type === 'written' ? write.object.metadata : write.key;
      const stored = this.#store.get(key);
      if (stored !== undefined && this.#seen(key, stored) !== stored) replaced.add(stored);
    }
    if (replaced.size > FEW) return objects.filter((object) => !replaced.has(object));
    for (const object of replaced) {
      const at = objects.indexOf(object);
      if (at !== -1) objects.splice(at, 1);
    }
    return objects;
  }
  #inNamespace(namespace: string | undefined, ownWrites: boolean): readonly T[] {
    const stored = this.#store.list(namespace);
    if (this.overlay.isEmpty || !ownWrites) return stored;
    const read = this.#withoutReplaced(stored);
    for (const write of this.overlay.values()) {
      if (write.type !== 'written' || !this.#isSelected(write.object)) continue;
      if (namespace === undefined || write.object.metadata.namespace === namespace) read.push(write.object);
    }
    return read;
  }
}

/**
 * Throws UNSUPPORTED_READ for options that only live reads support; the message contains an alternative. Throws INVALID_OPTION for an
 * invalid limit.
 */
export function checkCachedRead(kind: string, options: ListOptions<never>): void {
  const { limit } = options;
  if (options.fields !== undefined) {
    throw unsupported(kind, 'field selectors require a live read; declare an index instead');
  }
  if ((options as { readonly continue?: unknown }).continue !== undefined) {
    throw unsupported(kind, "the cache has no pages; omit 'continue', since the list is always complete");
  }
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1)) {
    throw new KubewrightError(
      'INVALID_OPTION',
      `cannot list ${kind}: 'limit' is ${valueText(limit)}; it must be a positive integer`,
    );
  }
}

function unsupported(kind: string, why: string): KubewrightError {
  return new KubewrightError('UNSUPPORTED_READ', `cannot list ${kind} from the cache: ${why}`);
}

function isList<T>(match: IndexMatch<T> | readonly IndexMatch<T>[]): match is readonly IndexMatch<T>[] {
  return Array.isArray(match);
}
