import type { KubeObject, ObjectKey } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { Change } from './change.js';
import { formatKey } from './object-key.js';
import { isNewer } from './overlay.js';
import type { Store } from './store.js';

/** A selection of the objects of a kind. Each scope has its own watch, which updates the store. */
export interface StoreScope {
  /** The namespace of the scope. Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** The newest version of the scope. Empty before the first list. */
  readonly resourceVersion: string;
  /**
   * Whether only lists and events of the server show which objects are in the scope. The changes of such a scope are also returned in
   * `ScopedChanges.ofScope`.
   */
  readonly isTracked: boolean;
  readonly covers: (namespace: string | undefined) => boolean;
}

/** The changes that result from one list or one event of a scope. */
export interface ScopedChanges<T> {
  /** The changes of the store. */
  readonly changes: readonly Change<T>[];
  /** The changes of the objects in the scope. Empty if the scope is not tracked. */
  readonly ofScope: readonly Change<T>[];
}

/**
 * A record of an object that was removed from the store. States of the same key that are older than the version of the record are ignored.
 */
interface Tombstone {
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  /** Whether a state with exactly this version is also ignored. */
  readonly isOver: boolean;
}

const NO_CHANGES: readonly never[] = [];

/** The objects of a scope by key. */
type Members<T> = Map<string, T>;

/**
 * A store that the watches of several scopes update. Contains the newest version of each object, and removes an object when no scope
 * contains the object. If one scope delivers an older event, changes and removals that another scope has delivered are not reverted.
 *
 * If a scope is not tracked and has no namespace in common with other scopes, the store does not record the objects of the scope
 * separately. The scope then contains all stored objects in its namespaces.
 */
export class ScopedStore<T extends KubeObject> {
  readonly #store: Store<T>;
  readonly #members = new Map<StoreScope, Members<T> | undefined>();
  readonly #tombstones = new Map<string, Tombstone>();
  /** The newest version of the scopes that were removed. */
  #newestDropped = '';
  #hasDropped = false;

  constructor(store: Store<T>) {
    this.#store = store;
  }

  /** Adds a scope that contains no objects yet. */
  add(scope: StoreScope): void {
    const shared = [...this.#members.keys()].filter((other) => overlaps(scope, other));
    for (const other of shared) this.#members.set(other, this.#membersOf(other));
    this.#members.set(scope, scope.isTracked || shared.length > 0 ? new Map() : undefined);
  }

  /** Removes a scope, and the objects that no other scope contains. */
  drop(scope: StoreScope): readonly Change<T>[] {
    const changes: Change<T>[] = [];
    const members = this.#members.get(scope);
    this.#members.delete(scope);
    if (members === undefined) return this.#store.replace([], { covers: scope.covers, initial: false });
    for (const [key, { metadata }] of members) {
      if (!this.#isInAny(key)) append(changes, this.#store.remove(metadata));
    }
    if (isNewer(scope.resourceVersion, this.#newestDropped)) this.#newestDropped = scope.resourceVersion;
    this.#hasDropped = true;
    return changes;
  }

  /** Returns the objects of a scope. */
  objectsOf(scope: StoreScope): readonly T[] {
    const members = this.#members.get(scope);
    return members === undefined ? this.#store.listIn(scope.covers) : [...members.values()];
  }

  /** Returns whether a scope contains an object with this key. */
  contains(scope: StoreScope, key: ObjectKey): boolean {
    if (!scope.covers(key.namespace)) return false;
    const members = this.#members.get(scope);
    return members === undefined ? this.#store.get(key) !== undefined : members.has(formatKey(key));
  }

  /** Applies an added or changed object that the watch of a scope delivered. */
  put(scope: StoreScope, object: T): ScopedChanges<T> {
    const members = this.#members.get(scope);
    if (members === undefined) return { changes: this.#store.put(object), ofScope: NO_CHANGES };
    const changes = this.#take(object, false);
    return { changes, ofScope: this.#enter(scope, members, object) };
  }

  /** Applies the removal of an object from a scope. `last` is the last state of the object, with the version of the removal. */
  remove(scope: StoreScope, last: T): ScopedChanges<T> {
    const { metadata } = last;
    const members = this.#members.get(scope);
    if (members === undefined) return { changes: this.#store.remove(metadata, last), ofScope: NO_CHANGES };
    const key = formatKey(metadata);
    const before = members.get(key);
    members.delete(key);
    const ofScope = changesOf(scope, before, { type: 'deleted', object: last, stale: false });
    return { changes: this.#leave(key, last, { last, isOver: false }), ofScope };
  }

  /**
   * Replaces the objects of a scope with the objects of a list. `isSetBack` means that the server was restored, so that its versions
   * continue from an earlier version.
   */
  replace(
    scope: StoreScope,
    objects: readonly T[],
    { initial, isSetBack }: { readonly initial: boolean; readonly isSetBack: boolean },
  ): ScopedChanges<T> {
    if (isSetBack) this.#tombstones.clear();
    const before = this.#members.get(scope);
    if (before === undefined) {
      return { changes: this.#store.replace(objects, { covers: scope.covers, initial }), ofScope: [] };
    }
    const now: Members<T> = new Map();
    this.#members.set(scope, now);
    const taken: Change<T>[] = [];
    const entered: Change<T>[] = [];
    for (const object of objects) {
      const key = formatKey(object.metadata);
      append(taken, this.#take(object, isSetBack || this.#isSetBack(object, scope)));
      const old = before.get(key);
      if (old !== undefined) now.set(key, old);
      before.delete(key);
      append(entered, this.#enter(scope, now, object));
    }
    const left: Change<T>[] = [];
    const deletions: Change<T>[] = [];
    for (const [key, old] of before) {
      append(deletions, changesOf(scope, old, { type: 'deleted', object: old, stale: true }));
      append(left, this.#leave(key, old, { last: undefined, isOver: true }));
    }
    return { changes: inOrder([...left, ...taken], initial), ofScope: inOrder([...deletions, ...entered], initial) };
  }

  /**
   * Discards the tombstones that all scopes have passed. Call this method when a scope has advanced. If a scope still contains the object
   * of a discarded tombstone, stores the object again. Returns the resulting changes.
   */
  settle(): readonly Change<T>[] {
    if (this.#tombstones.size === 0 && !this.#hasDropped) return NO_CHANGES;
    const changes: Change<T>[] = [];
    for (const [key, { namespace, resourceVersion }] of this.#tombstones) {
      const isAwaited = [...this.#members].some(
        ([scope, members]) =>
          members !== undefined && scope.covers(namespace) && isNewer(resourceVersion, scope.resourceVersion),
      );
      if (isAwaited) continue;
      this.#tombstones.delete(key);
      for (const members of this.#members.values()) {
        const object = members?.get(key);
        if (object !== undefined) append(changes, this.#take(object, false));
      }
    }
    if (this.#hasDropped) this.#forgetMembers();
    return changes;
  }

  /**
   * Whether the server was restored: the list contains an older state of the object than the store, although the version of the list is not
   * older than the stored state.
   */
  #isSetBack({ metadata }: T, list: StoreScope): boolean {
    const known = this.#store.get(metadata)?.metadata ?? this.#tombstones.get(formatKey(metadata));
    if (known === undefined || isNewer(known.resourceVersion, list.resourceVersion)) return false;
    return isNewer(known.resourceVersion, metadata.resourceVersion);
  }

  /**
   * Stores an object. If `isForced` is false, ignores the object if the store has a newer state of its key, or if a tombstone applies to
   * its version.
   */
  #take(object: T, isForced: boolean): readonly Change<T>[] {
    const { metadata } = object;
    const { resourceVersion } = metadata;
    const key = formatKey(metadata);
    const end = this.#tombstones.get(key);
    if (!isForced) {
      const stored = this.#store.get(metadata);
      if (stored !== undefined && isNewer(stored.metadata.resourceVersion, resourceVersion)) return [];
      if (stored === undefined && end !== undefined && isBefore(resourceVersion, end)) return [];
    }
    if (end !== undefined && !isBefore(resourceVersion, end)) this.#tombstones.delete(key);
    return this.#store.put(object);
  }

  /** Adds an object to the objects of a scope. Uses the stored state of the object, so that only one state is in memory. */
  #enter(scope: StoreScope, members: Members<T>, object: T): readonly Change<T>[] {
    const key = formatKey(object.metadata);
    const stored = this.#store.get(object.metadata);
    const now = stored?.metadata.uid === object.metadata.uid ? stored : object;
    const before = members.get(key);
    members.set(key, now);
    if (before === undefined) return changesOf(scope, now, { type: 'added', object: now, initial: false });
    if (before.metadata.resourceVersion === now.metadata.resourceVersion && before.metadata.uid === now.metadata.uid)
      return [];
    if (before.metadata.uid === now.metadata.uid)
      return changesOf(scope, now, { type: 'modified', object: now, old: before });
    return [
      ...changesOf(scope, before, { type: 'deleted', object: before, stale: true }),
      ...changesOf(scope, now, { type: 'added', object: now, initial: false }),
    ];
  }

  /** Removes an object that left a scope from the store, if no other scope contains the object. In all cases, adds a tombstone. */
  #leave(
    key: string,
    { metadata }: T,
    { last, isOver }: { readonly last: T | undefined; readonly isOver: boolean },
  ): readonly Change<T>[] {
    const { namespace } = metadata;
    const stored = this.#store.get(metadata)?.metadata;
    this.#end(key, { namespace, resourceVersion: metadata.resourceVersion, isOver });
    if (this.#isInAny(key)) return [];
    if (stored !== undefined) this.#end(key, { namespace, resourceVersion: stored.resourceVersion, isOver: false });
    return this.#store.remove(metadata, last);
  }

  /** Adds a tombstone, if there is no later tombstone of the same key. */
  #end(key: string, end: Tombstone): void {
    const known = this.#tombstones.get(key);
    if (known === undefined || isNewer(end.resourceVersion, known.resourceVersion)) this.#tombstones.set(key, end);
    else if (known.resourceVersion === end.resourceVersion && end.isOver) this.#tombstones.set(key, end);
  }

  /**
   * Whether a scope with recorded objects contains the key. Other scopes need not be checked, because they have no namespace in common with
   * such scopes.
   */
  #isInAny(key: string): boolean {
    for (const members of this.#members.values()) if (members?.has(key)) return true;
    return false;
  }

  /**
   * Discards the recorded objects of scopes that no longer have a namespace in common with another scope. Keeps the objects of a scope
   * whose version is older than the newest version of the removed scopes.
   */
  #forgetMembers(): void {
    this.#hasDropped = false;
    for (const [scope, members] of this.#members) {
      if (members === undefined || scope.isTracked || this.#isShared(scope)) continue;
      if (isNewer(this.#newestDropped, scope.resourceVersion)) this.#hasDropped = true;
      else this.#members.set(scope, undefined);
    }
  }

  #membersOf(scope: StoreScope): Members<T> {
    const known = this.#members.get(scope);
    if (known !== undefined) return known;
    return new Map(this.#store.listIn(scope.covers).map((object) => [formatKey(object.metadata), object]));
  }

  #isShared(scope: StoreScope): boolean {
    for (const other of this.#members.keys()) if (other !== scope && overlaps(scope, other)) return true;
    return false;
  }
}

/** Whether a tombstone applies to a state with this version. */
function isBefore(resourceVersion: string, end: Tombstone): boolean {
  return isNewer(end.resourceVersion, resourceVersion) || (end.isOver && end.resourceVersion === resourceVersion);
}

/** Whether two scopes can contain the same object. */
function overlaps(a: StoreScope, b: StoreScope): boolean {
  if (a.namespace !== undefined) return b.covers(a.namespace);
  return b.namespace === undefined || a.covers(b.namespace);
}

function changesOf<T>(scope: StoreScope, of: T | undefined, change: Change<T>): readonly Change<T>[] {
  return scope.isTracked && of !== undefined ? [change] : [];
}

/** Returns the changes with deletions first. If `initial` is true, the additions are changed to initial additions. */
function inOrder<T>(changes: readonly Change<T>[], initial: boolean): readonly Change<T>[] {
  const deleted = changes.filter(({ type }) => type === 'deleted');
  const others = changes
    .filter(({ type }) => type !== 'deleted')
    .map((change) => (change.type === 'added' && initial ? { ...change, initial } : change));
  return [...deleted, ...others];
}
