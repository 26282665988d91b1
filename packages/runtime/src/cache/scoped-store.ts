import type { KubeObject, ObjectKey } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { Change } from './change.js';
import { formatKey } from './object-key.js';
import { isNewer } from './overlay.js';
import type { Store } from './store.js';

/** A part of a kind that is watched by itself and feeds the store. */
export interface StoreScope {
  /** The namespace that it is limited to; undefined for all. */
  readonly namespace: string | undefined;
  /** The newest version that it stands for; empty before its first list. */
  readonly resourceVersion: string;
  /** Whether only the watch can decide which objects belong to the scope, so that changes of the scope are reported. */
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

/** The version up to which every state of a name is over, since its object was removed from the store. */
interface Tombstone {
  readonly namespace: string | undefined;
  readonly resourceVersion: string;
  /** Whether the object is known to have been left at a later version than this. */
  readonly isOver: boolean;
}

/** Objects by key. */
type Members<T> = Map<string, T>;

/**
 * A store that several scopes feed. It keeps the newest version of each object, and removes an object only when no scope contains
 * it. An older event of one scope undoes neither a change nor a removal that another scope has brought.
 *
 * A scope that shares its namespaces with no other needs no list of its objects: these are what the store has there.
 */
export class ScopedStore<T extends KubeObject> {
  readonly #store: Store<T>;
  readonly #members = new Map<StoreScope, Members<T> | undefined>();
  readonly #tombstones = new Map<string, Tombstone>();
  /** The newest version that a dropped scope stood for. */
  #newestDropped = '';
  #hasDropped = false;

  constructor(store: Store<T>) {
    this.#store = store;
  }

  /** Adds a scope, which contains nothing yet. */
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

  /** The objects of a scope. */
  objectsOf(scope: StoreScope): readonly T[] {
    const members = this.#members.get(scope);
    return members === undefined ? this.#store.listIn(scope.covers) : [...members.values()];
  }

  /** Whether a scope contains an object of this key. */
  contains(scope: StoreScope, key: ObjectKey): boolean {
    if (!scope.covers(key.namespace)) return false;
    const members = this.#members.get(scope);
    return members === undefined ? this.#store.get(key) !== undefined : members.has(formatKey(key));
  }

  /** The watch of a scope brought an object. */
  put(scope: StoreScope, object: T): ScopedChanges<T> {
    const members = this.#members.get(scope);
    if (members === undefined) return { changes: this.#store.put(object), ofScope: [] };
    const changes = this.#take(object, false);
    return { changes, ofScope: this.#enter(scope, members, object) };
  }

  /** An object left a scope; `last` is its state before, at the version at which it left. */
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

  /** A list brought all objects of a scope. `isSetBack` says that the server counts its versions from an earlier one. */
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
   * Forgets the ends that every scope has passed. Call it when a scope has come further.
   * Changes are those of objects that a scope contains after all.
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

  /** Whether a list has an older state than a state that the list should contain, because the server was restored. */
  #isSetBack({ metadata }: T, list: StoreScope): boolean {
    const known = this.#store.get(metadata)?.metadata ?? this.#tombstones.get(formatKey(metadata));
    if (known === undefined || isNewer(known.resourceVersion, list.resourceVersion)) return false;
    return isNewer(known.resourceVersion, metadata.resourceVersion);
  }

  /** Stores an object, unless the store has a newer one under its name, or its end. */
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

  /** Makes an object a member, in the state that the store has, so that no state is kept twice. */
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

  /** Takes what left a scope out of the store, unless another scope contains it. */
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

  /** Notes an end, unless a later one is known. */
  #end(key: string, end: Tombstone): void {
    const known = this.#tombstones.get(key);
    if (known === undefined || isNewer(end.resourceVersion, known.resourceVersion)) this.#tombstones.set(key, end);
    else if (known.resourceVersion === end.resourceVersion && end.isOver) this.#tombstones.set(key, end);
  }

  /** Scopes without a list of their objects share no namespace with those that have one. */
  #isInAny(key: string): boolean {
    for (const members of this.#members.values()) if (members?.has(key)) return true;
    return false;
  }

  /** A scope that is alone again needs no list of its objects, once it has passed what the dropped scopes had brought. */
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

/** Whether a state of a version is over at an end. */
function isBefore(resourceVersion: string, end: Tombstone): boolean {
  return isNewer(end.resourceVersion, resourceVersion) || (end.isOver && end.resourceVersion === resourceVersion);
}

/** Whether two scopes may contain the same object. */
function overlaps(a: StoreScope, b: StoreScope): boolean {
  if (a.namespace !== undefined) return b.covers(a.namespace);
  return b.namespace === undefined || a.covers(b.namespace);
}

function changesOf<T>(scope: StoreScope, of: T | undefined, change: Change<T>): readonly Change<T>[] {
  return scope.isTracked && of !== undefined ? [change] : [];
}

/** Deletions first, as a list brings them. */
function inOrder<T>(changes: readonly Change<T>[], initial: boolean): readonly Change<T>[] {
  const deleted = changes.filter(({ type }) => type === 'deleted');
  const others = changes
    .filter(({ type }) => type !== 'deleted')
    .map((change) => (change.type === 'added' && initial ? { ...change, initial } : change));
  return [...deleted, ...others];
}
