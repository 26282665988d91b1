import type { KubeObject, ObjectKey } from '@kubewright/api';
import { abortable } from '../transport/abortable.js';
import type { AcquireOptions } from './acquire-options.js';
import type { ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from './index-declaration.js';
import type { InformerScope } from './informer-selection.js';
import type { KindDeclarations } from './kind-declarations.js';
import type { KindInformer } from './kind-informer.js';
import type { ListOptions } from './list-options.js';
import type { ReadOptions } from './read-options.js';
import { isInScope } from './scope-cover.js';

/** What a declaration selects, as `InformerCache.acquire` takes it. */
export type DeclaredSelection = Pick<AcquireOptions<KubeObject>, 'namespaces' | 'labels' | 'fields'>;

/** The objects of a kind that the cache has, whoever declared them, and what their presence and absence mean. */
export class KindReads<T extends KubeObject> {
  readonly #informer: KindInformer<T>;
  readonly #declarations: KindDeclarations;
  readonly #scopesOf: (options: DeclaredSelection) => readonly InformerScope[];
  readonly #onLiveRead: (absent: ObjectKey | undefined) => void;

  constructor(
    informer: KindInformer<T>,
    using: {
      readonly declarations: KindDeclarations;
      /** Returns what a declaration selects with the options of the cache. */
      readonly scopesOf: (options: DeclaredSelection) => readonly InformerScope[];
      readonly onLiveRead: (absent: ObjectKey | undefined) => void;
    },
  ) {
    this.#informer = informer;
    this.#declarations = using.declarations;
    this.#scopesOf = using.scopesOf;
    this.#onLiveRead = using.onLiveRead;
  }

  /** Changes with everything that `hasListed` depends on; undefined once the informer is closed. */
  get version(): number | undefined {
    return this.#informer.isClosed ? undefined : this.#declarations.version;
  }

  /** Whether it has nothing but the metadata of the objects. */
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
  /** Whether an index holds an object, which need not be in the store, under this value. Throws UNKNOWN_INDEX. */
  isUnder(match: IndexMatch<T>, object: T): boolean {
    return this.#informer.isUnder(match, object);
  }
  addIndex(index: Index<T>): void {
    this.#informer.addIndex(index);
  }

  /**
   * Resolves with true when reads of these objects give at least the states that events of the other store of the kind have
   * delivered, and with false if only the API server knows these states; undefined if they can be read at once.
   */
  caughtUp(objects: ReadObjects, signal?: AbortSignal): Promise<boolean> | undefined {
    return this.#informer.caughtUp(objects, signal);
  }

  /** The scopes of a declaration. */
  scopesOf(options: DeclaredSelection): readonly InformerScope[] {
    return this.#scopesOf(options);
  }

  /** Resolves when all objects of these scopes are there; opens what is not watched for as long as it waits. */
  async listed(scopes: readonly InformerScope[], signal: readonly AbortSignal[]): Promise<void> {
    if (scopes.every((scope) => this.hasListed(scope))) return;
    const declaration = this.#declarations.declare(scopes);
    try {
      await abortable(declaration.synced(), ...signal);
    } finally {
      void this.#declarations.release(declaration);
    }
  }

  /** Counts a read that the API server had to answer. `absent` is the key of an object that is not selected. */
  readLive(absent?: ObjectKey): void {
    this.#onLiveRead(absent);
  }

  /** Whether an object of this key would be there, if it existed. */
  provesAbsence({ name, namespace }: ObjectKey): boolean {
    return this.#declarations.hasListedKey(name, namespace);
  }

  /** Whether every object of a scope is there. */
  hasListed(scope: InformerScope): boolean {
    return this.#declarations.hasListed(scope);
  }

  /** Whether every object of a scope will be there once what is watched is listed. */
  isWatched(scope: InformerScope): boolean {
    return this.#declarations.isWatched(scope);
  }

  /** The scopes that are watched in a namespace, or at all. */
  watchedIn(namespace: string | undefined): readonly InformerScope[] {
    const { watched } = this.#declarations;
    return namespace === undefined ? watched : watched.filter((scope) => isInScope(scope, namespace));
  }
}
