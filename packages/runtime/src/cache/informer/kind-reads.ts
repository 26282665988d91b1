import type { KubeObject, ObjectKey } from '@kubewright/api';
import { abortable } from '../../waiting/abortable.js';
import type { AcquireOptions } from './acquire-options.js';
import type { CatchUpOptions, ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from '../store/index-declaration.js';
import type { InformerScope } from '../selection/informer-selection.js';
import type { KindDeclarations } from './kind-declarations.js';
import type { SharedInformer } from './shared-informer.js';
import type { ListOptions } from '../store/list-options.js';
import type { ReadOptions } from '../store/read-options.js';
import { isInScope } from '../selection/scope-cover.js';

/** The selection of a declaration. See `InformerCache.acquire`. */
export type DeclaredSelection = Pick<AcquireOptions<KubeObject>, 'namespaces' | 'labels' | 'fields'>;

/** The cached objects of a kind, across all declarations. Also determines whether the cache contains all objects of a scope. */
export class KindReads<T extends KubeObject> {
  readonly #informer: SharedInformer<T>;
  readonly #declarations: KindDeclarations;
  readonly #scopesOf: (options: DeclaredSelection) => readonly InformerScope[];
  readonly #onLiveRead: (absent: ObjectKey | undefined) => void;

  constructor(
    informer: SharedInformer<T>,
    using: {
      readonly declarations: KindDeclarations;
      /** Returns the scopes of a declaration, with the options of the cache applied. */
      readonly scopesOf: (options: DeclaredSelection) => readonly InformerScope[];
      readonly onLiveRead: (absent: ObjectKey | undefined) => void;
    },
  ) {
    this.#informer = informer;
    this.#declarations = using.declarations;
    this.#scopesOf = using.scopesOf;
    this.#onLiveRead = using.onLiveRead;
  }

  /** A number that changes when the result of `hasListed` may have changed. Undefined after the informer is closed. */
  get version(): number | undefined {
    return this.#informer.isClosed ? undefined : this.#declarations.version;
  }

  /** Whether the informer stores only metadata. */
  get metadataOnly(): boolean {
    return this.#informer.metadataOnly;
  }

  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    return this.#informer.get(key, options);
  }
  list(options: ListOptions<T>): readonly T[] {
    return this.#informer.list(options);
  }
  byIndex(match: IndexMatch<T>): readonly T[] {
    return this.#informer.byIndex(match);
  }
  /**
   * Returns whether the object has this value in an index. The object need not be in the store. Throws UNKNOWN_INDEX if the index was not
   * added.
   */
  isUnder(match: IndexMatch<T>, object: T): boolean {
    return this.#informer.isUnder(match, object);
  }
  addIndex(index: Index<T>): void {
    this.#informer.addIndex(index);
  }

  /** Whether all objects can be read immediately, because the other store of the kind has not delivered states that this store misses. */
  get isCaughtUp(): boolean {
    return this.#informer.delivered.isEmpty;
  }
  /**
   * Returns undefined if these objects can be read immediately. Otherwise, resolves with true when reads return the states that the other
   * store of the kind has delivered, or with false if the objects must be read from the API server.
   */
  caughtUp(objects: ReadObjects, options?: CatchUpOptions): Promise<boolean> | undefined {
    return this.#informer.caughtUp(objects, options);
  }

  /** Returns the scopes of a declaration, with the options of the cache applied. */
  scopesOf(options: DeclaredSelection): readonly InformerScope[] {
    return this.#scopesOf(options);
  }

  /**
   * Resolves when all objects of these scopes are listed. If a scope is not watched, watches it during the wait. Rejects with
   * INFORMER_CLOSED if the informer is closed, and with the reason of a signal that is aborted.
   */
  async listed(scopes: readonly InformerScope[], signal: readonly AbortSignal[]): Promise<void> {
    if (scopes.every((scope) => this.hasListed(scope))) return;
    const declaration = this.#declarations.declare(scopes);
    try {
      await abortable(declaration.synced(), ...signal);
    } finally {
      void this.#declarations.release(declaration);
    }
  }

  /**
   * Counts a read that is sent to the API server. `absent` is the key of the read object, if the cache neither contains the object nor
   * proves that it does not exist.
   */
  readLive(absent?: ObjectKey): void {
    this.#onLiveRead(absent);
  }

  /**
   * Returns whether the cache would contain the object with this key if the object existed. If so, an object that is not cached does not
   * exist.
   */
  provesAbsence({ name, namespace }: ObjectKey): boolean {
    return this.#declarations.hasListedKey(name, namespace);
  }

  /** Returns whether the cache contains all objects of a scope. */
  hasListed(scope: InformerScope): boolean {
    return this.#declarations.hasListed(scope);
  }

  /** Returns whether the cache contains all objects of a scope, or will contain them after the current lists. */
  isWatched(scope: InformerScope): boolean {
    return this.#declarations.isWatched(scope);
  }

  /** Returns the watched scopes that contain this namespace. If the namespace is undefined, returns all watched scopes. */
  watchedIn(namespace: string | undefined): readonly InformerScope[] {
    const { watched } = this.#declarations;
    return namespace === undefined ? watched : watched.filter((scope) => isInScope(scope, namespace));
  }
}
