import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { awaitedState, type StateTest } from './awaited-state.js';
import type { ChangesOptions, Informer, InformerStatistics } from './informer.js';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import { changesOf } from './handlers/change-stream.js';
import type { Change } from '../store/change.js';
import { filteredHandler } from './handlers/filtered-handler.js';
import type { InformerScope } from '../selection/informer-selection.js';
import type { Declaration } from './declaration.js';
import type { CatchUpOptions, ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from '../store/index-declaration.js';
import type { SharedInformer } from './shared-informer.js';
import type { ListOptions } from '../store/list-options.js';
import { checkCachedRead } from '../store/overlaid-store.js';
import type { Deletion } from '../store/overlay.js';
import type { ReadOptions } from '../store/read-options.js';
import type { ReflectorStatus } from '../reflector/reflector-status.js';
import { isInScope } from '../selection/scope-cover.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration } from './handlers/change-handler.js';
import type { WatchedScope } from './scopes/watched-scope.js';

/** The options of a handle. */
export interface InformerHandleOptions<T extends KubeObject> {
  /** The objects that the handle can read. @default all objects of the informer */
  readonly declaration?: Declaration<T> | undefined;
  /** Returns the number of reads of the kind that were sent to the API server although the kind is cached. @default always returns 0 */
  readonly liveReads?: () => number;
  /** Sets the keys of the objects that the declaration selects. @default the declaration does not select by keys */
  readonly selectKeys?: (keys: readonly ObjectKey[]) => void;
}

/**
 * Gives one user access to a `SharedInformer`: to the declared objects, or to all objects. In addition to the members of `Informer`, the
 * handle has members for the runtime, such as handlers and the status. Disposing of the handle removes its handlers and its declaration.
 * The informer stops when the last handle is disposed of.
 */
export class InformerHandle<T extends KubeObject> implements Informer<T>, InformerStatistics {
  readonly #informer: SharedInformer<T>;
  readonly #release: () => Promise<void>;
  readonly #declaration: Declaration<T> | undefined;
  readonly #liveReads: () => number;
  readonly #selectKeys: (keys: readonly ObjectKey[]) => void;
  readonly #registrations = new Set<HandlerRegistration>();
  readonly #ended = new AbortController();

  constructor(informer: SharedInformer<T>, release: () => Promise<void>, options: InformerHandleOptions<T> = {}) {
    this.#informer = informer;
    this.#release = release;
    this.#declaration = options.declaration;
    this.#liveReads = options.liveReads ?? (() => 0);
    this.#selectKeys = options.selectKeys ?? (() => undefined);
  }

  get kind(): string {
    return this.#informer.kind;
  }
  get apiVersion(): string {
    return this.#informer.apiVersion;
  }
  get namespaces(): readonly string[] | undefined {
    return namespacesOf(this.#scopes);
  }
  get labels(): string | undefined {
    return commonText(this.#scopes.map(({ labels }) => labels));
  }
  get fields(): string | undefined {
    return commonText(this.#scopes.map(({ fields }) => fields));
  }
  get metadataOnly(): boolean {
    return this.#informer.metadataOnly;
  }
  get bytes(): number {
    return this.#informer.bytes;
  }
  get size(): number {
    return this.#hasAll ? this.#informer.size : this.list().length;
  }
  /**
   * The oldest version of the watches that deliver the objects of this handle. Empty if there are no watches or a watch has no version yet.
   */
  get resourceVersion(): string {
    return this.#informer.scopes.versionOf(this.#watched);
  }
  /** Returns whether the watches of this handle have delivered all changes up to this version. Returns true if there are no watches. */
  hasPassed(resourceVersion: string): boolean {
    return this.#watched.every((scope) => scope.hasPassed(resourceVersion));
  }
  /**
   * The number of reads of this kind that were sent to the API server although the kind is cached. Always 0 for a handle that has a
   * declaration.
   */
  get liveReads(): number {
    return this.#liveReads();
  }
  /** The number of changes that the handlers of all users of the informer have not received yet. */
  get waiting(): number {
    return this.#informer.waiting;
  }
  /**
   * The total number of completed lists of the scopes of this handle. As long as the epoch does not change, each version of an object is
   * reported as a separate change. Undefined if a scope is not being watched, because its next list can combine several versions in one
   * change.
   */
  get epoch(): number | undefined {
    let epoch = 0;
    for (const scope of this.#informer.scopes) {
      if (this.#declaration?.isFedBy(scope.key) === false) continue;
      if (scope.epoch === undefined) return undefined;
      epoch += scope.epoch;
    }
    return epoch;
  }
  /**
   * The worst status of the reflectors of this handle, with the total numbers of lists and watches. `synced` refers to the declared
   * objects.
   */
  get status(): ReflectorStatus {
    const status = this.#informer.scopes.statusOf(this.#watched);
    return this.#declaration === undefined ? status : { ...status, synced: this.#declaration.isSynced };
  }

  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    const object = this.#informer.get(key, options);
    return object === undefined || this.#selects(object) ? object : undefined;
  }
  list(options: ListOptions<T> = {}): readonly T[] {
    if (this.#hasAll) return this.#informer.list(options);
    const { limit, ...others } = options;
    checkCachedRead(this.kind, options);
    return this.#informer.list(others).filter(this.#selects).slice(0, limit);
  }
  /**
   * Returns the objects that match the index value. For several index values, returns the objects that match all of them. Throws
   * UNKNOWN_INDEX if an index was not added.
   */
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[] {
    const objects = this.#informer.byIndex(match);
    return this.#hasAll ? objects : objects.filter(this.#selects);
  }
  /**
   * Adds an index for existing and later objects. Has no effect if an index with the same name and the same function was already added.
   * Throws INDEX_EXISTS if the name belongs to an index with another function.
   */
  addIndex(index: Index<T>): void {
    this.#informer.addIndex(index);
  }
  /** Removes an index for all users of the informer. Has no effect if the index does not exist. */
  removeIndex(index: Index<T>): void {
    this.#informer.removeIndex(index);
  }
  /** Whether the first list is complete, so that `synced` resolves immediately. */
  get hasSynced(): boolean {
    return this.#declaration?.isSynced ?? this.#informer.hasSynced;
  }
  synced(): Promise<void> {
    return this.#declaration?.synced() ?? this.#informer.synced();
  }
  /** Returns whether at least one scope of this handle includes this namespace. Undefined means cluster-scoped objects. */
  covers(namespace: string | undefined): boolean {
    if (this.#declaration === undefined) return this.#informer.covers(namespace);
    return this.#declaration.scopes.some((scope) => isInScope(scope, namespace));
  }
  /**
   * Replaces the keys of the selected objects. Has no effect if the handle was acquired without `byKeys` or was disposed of, or if the
   * informer is closed. With `byKeys`, `synced` does not resolve before the first call.
   */
  selectKeys(keys: readonly ObjectKey[]): void {
    if (!this.#ended.signal.aborted && !this.#informer.isClosed) this.#selectKeys(keys);
  }
  /**
   * Adds an own write to the cache. Reads return this object until the watch has delivered the write. If the write removed the object,
   * reads no longer return the object. Has no effect if no watch can select the object, or if the store already has this or a newer state.
   */
  wrote(object: T): void {
    this.#informer.wrote(object);
  }
  /**
   * Adds an own deletion to the cache, so that reads no longer return the object. Has no effect if reads do not return an object for this
   * key, or return an object with another uid.
   */
  deleted(key: ObjectKey, deletion?: Deletion): void {
    this.#informer.deleted(key, deletion);
  }
  /**
   * Returns whether the watches have delivered this version of the object, a later version, or its deletion. Returns true if no watch can
   * select the object.
   */
  hasSeen(object: KubeObject): boolean {
    return this.#informer.hasSeen(object);
  }
  /**
   * Returns undefined if reads of these objects already return the states that the other store of the kind has delivered, or newer states.
   * Otherwise, resolves with true when reads return these states, or with false if the objects must be read from the API server, for
   * example because the watches did not deliver the states within 1 s. Rejects with the reason of the signal if the signal is aborted.
   */
  caughtUp(objects: ReadObjects, options?: CatchUpOptions): Promise<boolean> | undefined {
    return this.#informer.caughtUp(objects, options);
  }
  /**
   * Resolves with true if the first list is not complete, or if the server has a newer state with other objects than the store. After the
   * first list, each call requests all objects from the server.
   */
  isBehind(): Promise<boolean> {
    return this.#informer.isBehind();
  }
  /** Adds a listener for changes of the status. Returns a function that removes the listener. */
  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    return this.#informer.onStatus(listener);
  }

  /**
   * Adds a handler. The handler first receives each existing object as added, and then each change exactly once. Throws INFORMER_CLOSED if
   * the informer is closed.
   */
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration {
    const registration = this.#informer.addHandler(handler, options, this.#declaration);
    this.#registrations.add(registration);
    return {
      synced: registration.synced,
      remove: () => {
        this.#registrations.delete(registration);
        registration.remove();
      },
    };
  }

  changes({ filter, resync, signal }: ChangesOptions<T> = {}): AsyncIterable<Change<T>> {
    const seen = (all: ChangeHandler<T>): ChangeHandler<T> =>
      filter === undefined ? all : filteredHandler(filter, all);
    return changesOf<T>(
      (handler) => this.addHandler(seen(handler), { resync }),
      () => this.#endedBy(signal),
    );
  }

  async until(key: ObjectKey, isSo: (now: T) => boolean, options?: WaitOptions): Promise<T> {
    const desired = 'match the predicate';
    return (await this.#await(key, { desired, isSo: (now) => now !== undefined && isSo(now), ...options })) as T;
  }

  async untilDeleted({ metadata }: KubeObject, options?: WaitOptions): Promise<void> {
    const isOther = ({ uid }: KubeObject['metadata']): boolean => Boolean(metadata.uid) && uid !== metadata.uid;
    await this.#await(metadata, {
      desired: 'be deleted',
      isSo: (now) => now === undefined || isOther(now.metadata),
      ...options,
    });
  }

  async #await(
    key: ObjectKey,
    options: WaitOptions & { readonly isSo: StateTest<T>; readonly desired: string },
  ): Promise<T | undefined> {
    const ended = this.#endedBy();
    try {
      return await awaitedState(this, key, { ...options, clock: this.#informer.clock, ended: ended.signal });
    } finally {
      ended.abort();
    }
  }

  get #hasAll(): boolean {
    return this.#declaration?.selectsAll ?? true;
  }
  readonly #selects = (object: T): boolean => this.#declaration?.selects(object) ?? true;
  /** The declared scopes. If there is no declaration, the scopes of the informer. */
  get #scopes(): readonly Pick<InformerScope, 'namespace' | 'labels' | 'fields'>[] {
    return this.#declaration?.scopes ?? this.#informer.scopes.selected;
  }
  /** The scopes whose watches deliver the declared objects. */
  get #watched(): readonly WatchedScope<T>[] {
    const declaration = this.#declaration;
    const watched = [...this.#informer.scopes];
    return declaration === undefined ? watched : watched.filter(({ key }) => declaration.isFedBy(key));
  }

  /** Returns a controller that is aborted when the informer is closed, this handle is disposed of, or the given signal is aborted. */
  #endedBy(given?: AbortSignal): AbortController {
    const ended = new AbortController();
    const end = (): void =>
      ended.abort(new KubewrightError('INFORMER_CLOSED', `the informer of ${this.kind} was closed`));
    for (const signal of [this.#ended.signal, this.#informer.closing, ...(given === undefined ? [] : [given])]) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true, signal: ended.signal });
    }
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    for (const registration of this.#registrations) registration.remove();
    this.#registrations.clear();
    await this.#release();
  }
}

/** Returns the namespaces of these scopes. Undefined means all namespaces. */
function namespacesOf(scopes: readonly Pick<InformerScope, 'namespace'>[]): readonly string[] | undefined {
  const names = new Set(scopes.map(({ namespace }) => namespace));
  return names.has(undefined) ? undefined : ([...names] as readonly string[]);
}

/** Returns the selector that all scopes have. If the selectors differ, returns all of them, joined with " or ". */
function commonText(selectors: readonly (string | undefined)[]): string | undefined {
  const texts = [...new Set(selectors)];
  return texts.length > 1 ? texts.map((text) => text ?? '').join(' or ') : texts[0];
}
