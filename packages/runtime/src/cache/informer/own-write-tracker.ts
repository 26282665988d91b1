import type { KubeObject, ObjectKey } from '@kubewright/api';
import { isFullyDeleted } from '../store/is-fully-deleted.js';
import { type Deletion, isNewer, type Overlay, type OwnWrite } from '../store/overlay.js';
import type { ScopedStore } from '../store/scoped-store.js';
import type { Store } from '../store/store.js';
import type { WatchedScope } from './scopes/watched-scope.js';
import type { WatchedScopes } from './scopes/watched-scopes.js';

/** The dependencies of an `OwnWriteTracker`. */
export interface OwnWriteTrackerOptions<T extends KubeObject> {
  readonly store: Store<T>;
  readonly scoped: ScopedStore<T>;
  readonly scopes: WatchedScopes<T>;
  readonly overlay: Overlay<T>;
}

/**
 * Stores own writes in the overlay, so that reads return them. Removes each write when all watches that select the object have delivered
 * the write.
 */
export class OwnWriteTracker<T extends KubeObject> {
  readonly #store: Store<T>;
  readonly #scoped: ScopedStore<T>;
  readonly #scopes: WatchedScopes<T>;
  readonly #overlay: Overlay<T>;

  constructor({ store, scoped, scopes, overlay }: OwnWriteTrackerOptions<T>) {
    this.#store = store;
    this.#scoped = scoped;
    this.#scopes = scopes;
    this.#overlay = overlay;
  }

  /**
   * Stores a written object in the overlay. If the write removed the object from the server, stores a deletion instead. Has no effect if no
   * scope may contain the object, or if the watches have already delivered the write.
   */
  wrote(object: T): void {
    const { uid, resourceVersion } = object.metadata;
    if (isFullyDeleted(object)) return this.deleted(object.metadata, { uid });
    const scopes = this.#mayContain(object);
    const [first] = scopes;
    if (first === undefined || !resourceVersion || scopes.every((scope) => scope.hasPassed(resourceVersion))) return;
    const adopted = first.source.adopt(object);
    if (adopted !== undefined) this.#overlay.wrote(adopted, this.#store.get(adopted.metadata));
  }

  /** Stores a deletion in the overlay, except if the watches have already delivered the deletion. */
  deleted({ name, namespace }: ObjectKey, deletion: Deletion = {}): void {
    const { resourceVersion = '' } = deletion;
    const key = { name, namespace };
    const scopes = this.#scopes.of(namespace).filter((scope) => this.#scoped.contains(scope, key));
    const isKnown = scopes.length > 0 && scopes.every((scope) => scope.hasPassed(resourceVersion));
    if (resourceVersion !== '' && isKnown) return;
    this.#overlay.deleted(key, deletion, this.#store.get(key));
  }

  /** Returns whether the watches have delivered this state of an object, or can no longer deliver this state. */
  hasSeen(object: KubeObject): boolean {
    const { metadata } = object;
    const scopes = this.#mayContain(object);
    if (scopes.length === 0) return true;
    const write = this.#overlay.get(metadata);
    if (!scopes.every(({ isSynced }) => isSynced)) return false;
    if (write?.type === 'deleted' && write.uid === metadata.uid) return false;
    if (scopes.every((scope) => scope.hasPassed(metadata.resourceVersion))) return true;
    const stored = this.#store.get(metadata);
    if (stored === undefined) return !scopes.some((scope) => scope.isSelected(object));
    return stored.metadata.uid === metadata.uid && !isNewer(metadata.resourceVersion, stored.metadata.resourceVersion);
  }

  /** Returns the scopes whose watches will deliver an own write. */
  relevantTo(write: OwnWrite<T>): readonly WatchedScope<T>[] {
    if (write.type === 'written') return this.#mayContain(write.object);
    return this.#scopes.of(write.key.namespace).filter((scope) => this.#scoped.contains(scope, write.key));
  }

  /** Removes the writes that all relevant watches have delivered. */
  caughtUp(): void {
    if (this.#overlay.isEmpty) return;
    const scopes = [...this.#scopes];
    this.#overlay.caughtUp(
      (resourceVersion) => scopes.some((scope) => scope.hasPassed(resourceVersion)),
      (write) => this.relevantTo(write).every((relevant) => relevant.hasPassed(write.resourceVersion)),
    );
  }

  /** Returns the scopes that contain an object with this key or that may select this state of the object. */
  #mayContain(object: KubeObject): readonly WatchedScope<T>[] {
    const { metadata } = object;
    return this.#scopes
      .of(metadata.namespace)
      .filter((scope) => scope.isTracked || scope.isSelected(object) || this.#scoped.contains(scope, metadata));
  }
}
