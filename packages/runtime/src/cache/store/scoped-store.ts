import type { KubeObject, ObjectKey } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { Change } from './change.js';
import { formatKey } from './object-key.js';
import { isNewer } from './overlay.js';
import type { Store } from './store.js';

/** A selection of the objects of a kind, whose own watch feeds the store. */
export interface StoreScope {
  /** The namespace of the scope; undefined for all. */
  readonly namespace: string | undefined;
  /** The newest version of the scope; empty before its first list. */
  readonly resourceVersion: string;
  /** Whether only the watch can determine which objects belong to the scope, so that changes of the scope are reported. */
  readonly isTracked: boolean;
  readonly covers: (namespace: string | undefined) => boolean;
}

/** The effects of one step. */
export interface ScopedChanges<T> {
  /** Changes of the store. */
  readonly changes: readonly Change<T>[];
  /** Changes of the objects of the scope, if it is tracked. */
  readonly ofScope: readonly Change<T>[];
}

/** The version up to which all states of a name are obsolete, because its object was removed from the store. */
interface Tombstone {
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  /** Whether the state at exactly this version is obsolete too. */
  readonly isOver: boolean;
}

/** Objects by key. */
type Members<T> = Map<string, T>;

/**
 * A store that several scopes feed. The store keeps the newest version of each object, and removes an object only when no scope contains
 * the object. An older event of one scope does not revert a change or a removal that another scope has delivered.
 *
 * A scope that shares no namespace with other scopes, and that is not tracked, has no separate set of members: its members are the objects
 * of the store in its namespaces.
 */
export class ScopedStore<T extends KubeObject> {
  readonly #store: Store<T>;
  readonly #members = new Map<StoreScope, Members<T> | undefined>();
  readonly #tombstones = new Map<string, Tombstone>();
  /** The newest version of the dropped scopes. */
  #newestDropped = '';
  #hasDropped = false;

  constructor(store: Store<T>) {
    this.#store = store;
  }

  /** Adds a scope without objects. */
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

  /** Applies an object that the watch of a scope delivered. */
  put(scope: StoreScope, object: T): ScopedChanges<T> {
    const members = this.#members.get(scope);
    if (members === undefined) return { changes: this.#store.put(object), ofScope: [] };
    const changes = this.#take(object, false);
    return { changes, ofScope: this.#enter(scope, members, object) };
  }

  /** Applies the removal of an object from a scope. `last` is the last state of the object, at the version of the removal. */
  remove(scope: StoreScope, last: T): ScopedChanges<T> {
    const { metadata } = last;
    const members = this.#members.get(scope);
    if (members === undefined) return { changes: this.#store.remove(metadata, last), ofScope: [] };
    const key = formatKey(metadata);
    const before = members.get(key);
    members.delete(key);
    const ofScope = changesOf(scope, before, { type: 'deleted', object: last, stale: false });
    return { changes: this.#leave(key, last, { last, isOver: false }), ofScope };
  }

  /** Replaces all objects of a scope with a list. `isSetBack`: the server was restored, so its versions start from an earlier version. */
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
    const gone: Change<T>[] = [];
    for (const [key, old] of before) {
      append(gone, changesOf(scope, old, { type: 'deleted', object: old, stale: true }));
      append(left, this.#leave(key, old, { last: undefined, isOver: true }));
    }
    return { changes: inOrder([...left, ...taken], initial), ofScope: inOrder([...gone, ...entered], initial) };
  }

  /**
   * Discards the tombstones that every scope has passed. Call this method when a scope has advanced. Returns the changes of objects that a
   * scope still contains.
   */
  settle(): readonly Change<T>[] {
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

  /** Whether a list contains an older state than the state that it should contain, because the server was restored. */
  #isSetBack({ metadata }: T, list: StoreScope): boolean {
    const known = this.#store.get(metadata)?.metadata ?? this.#tombstones.get(formatKey(metadata));
    if (known === undefined || isNewer(known.resourceVersion, list.resourceVersion)) return false;
    return isNewer(known.resourceVersion, metadata.resourceVersion);
  }

  /** Stores an object, unless the store has a newer object with its key, or a tombstone covers this version. */
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

  /** Adds an object to the members, in its stored state, so that no state is stored twice. */
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

  /** Removes an object that left a scope from the store, unless another scope contains the object. */
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

  /** Records a tombstone, unless a later tombstone is known. */
  #end(key: string, end: Tombstone): void {
    const known = this.#tombstones.get(key);
    if (known === undefined || isNewer(end.resourceVersion, known.resourceVersion)) this.#tombstones.set(key, end);
    else if (known.resourceVersion === end.resourceVersion && end.isOver) this.#tombstones.set(key, end);
  }

  /** Whether a scope with members contains the key. Scopes without members share no namespace with such scopes. */
  #isInAny(key: string): boolean {
    for (const members of this.#members.values()) if (members?.has(key)) return true;
    return false;
  }

  /**
   * Discards the members of each scope that no longer shares a namespace with another scope. Keeps them while the resourceVersion of the
   * scope is older than the newest resourceVersion of the dropped scopes.
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

/** Whether a tombstone covers a state of this version. */
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

/** Returns the changes with deletions first, in the same order as the changes of a list. */
function inOrder<T>(changes: readonly Change<T>[], initial: boolean): readonly Change<T>[] {
  const deleted = changes.filter(({ type }) => type === 'deleted');
  const others = changes
    .filter(({ type }) => type !== 'deleted')
    .map((change) => (change.type === 'added' && initial ? { ...change, initial } : change));
  return [...deleted, ...others];
}
