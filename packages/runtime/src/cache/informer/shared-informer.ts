import type { KubeObject, ObjectKey } from '@kubewright/api';
import { type Clock, type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../../log/logger.js';
import type { Change } from '../store/change.js';
import { type CatchUpOptions, type Delivery, DeliveredStates, type ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from '../store/index-declaration.js';
import { listAll } from '../reflector/list-pages.js';
import { type HandlerView, InformerHandlers } from './handlers/informer-handlers.js';
import type { ListOptions } from '../store/list-options.js';
import { OverlaidStore } from '../store/overlaid-store.js';
import { type Deletion, isNewer } from '../store/overlay.js';
import { OwnWriteTracker } from './own-write-tracker.js';
import type { ReadOptions } from '../store/read-options.js';
import type { ReflectorOptions, ReflectorTarget } from '../reflector/reflector.js';
import type { ReflectorStatus } from '../reflector/reflector-status.js';
import { Resync } from './handlers/resync.js';
import { type ScopedChanges, ScopedStore } from '../store/scoped-store.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration } from './handlers/change-handler.js';
import { Store } from '../store/store.js';
import { SyncGate } from './sync-gate.js';
import { type ScopeOptions, WatchedScope } from './scopes/watched-scope.js';
import { WatchedScopes } from './scopes/watched-scopes.js';

export interface SharedInformerOptions<T extends KubeObject> {
  readonly kind: string;
  readonly apiVersion: string;
  /** The initial scopes. Each scope has its own list and watch. */
  readonly scopes: readonly ScopeOptions<T>[];
  /** Whether the kind is namespaced. @default true */
  readonly namespaced?: boolean | undefined;
  /** Whether the informer stores only metadata. @default false */
  readonly metadataOnly?: boolean | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The resync period in milliseconds of handlers that do not set a period. @default no resync */
  readonly resyncMs?: number | undefined;
  /**
   * Returns the newest version that the other store of the kind has delivered: the store of metadata for a store of whole objects, and vice
   * versa. Returns '' before the first version. @default no other store
   */
  readonly deliveredVersion?: (() => string) | undefined;
  /** Called when the store reaches a newer version or a scope is removed. */
  readonly onProgress?: (() => void) | undefined;
  /**
   * Called with the changes of a list, an event or a bookmark, after the store has applied them and before handlers receive them. The
   * changes can be empty.
   */
  readonly onDelivery?: ((delivery: Delivery<T>) => void) | undefined;
  /**
   * Called when a scope was listed for the first time, and when a scope was removed and all other scopes are listed. The handlers are
   * notified of the end of the first list afterwards.
   */
  readonly onSync?: (() => void) | undefined;
  /** Called after each list, event or bookmark of a scope, when its changes were passed to the handlers. */
  readonly onStep?: (() => void) | undefined;
  readonly reflector?: Omit<ReflectorOptions<T>, 'source' | 'target' | 'onStatus'> | undefined;
}

/**
 * The informer of one kind that all users share: the store, its watches, and the handlers of its changes. Each user accesses the informer
 * through an `InformerHandle`. Several watches may deliver the same object; see `ScopedStore`. The store applies each change before
 * handlers receive it.
 */
export class SharedInformer<T extends KubeObject> {
  readonly kind: string;
  /** The states that the other store of the kind has delivered. */
  readonly delivered: DeliveredStates<T>;
  readonly #options: SharedInformerOptions<T>;
  readonly #store: Store<T>;
  readonly #scoped: ScopedStore<T>;
  readonly #seen: OverlaidStore<T>;
  readonly #writes: OwnWriteTracker<T>;
  readonly #handlers = new InformerHandlers<T>();
  readonly #listeners = new Set<(status: ReflectorStatus) => void>();
  readonly #scopes: WatchedScopes<T>;
  readonly #logger: Logger;
  readonly #stop = new AbortController();
  readonly #synced = new SyncGate();
  readonly #closing = new Set<Promise<void>>();
  #isStarted = false;

  constructor(options: SharedInformerOptions<T>) {
    this.kind = options.kind;
    this.#options = options;
    this.#scopes = new WatchedScopes<T>(options.kind);
    this.#logger = options.logger;
    this.#store = new Store<T>((error, object) => {
      this.#logger.error('an index function failed for an object', {
        error,
        kind: object.kind,
        name: object.metadata.name,
      });
    });
    this.#scoped = new ScopedStore(this.#store);
    this.#seen = new OverlaidStore(this.#store, {
      kind: options.kind,
      isSelected: (object) => this.#scopes.of(object.metadata.namespace).some((scope) => scope.isSelected(object)),
    });
    const { overlay } = this.#seen;
    this.#writes = new OwnWriteTracker({ store: this.#store, scoped: this.#scoped, scopes: this.#scopes, overlay });
    this.delivered = new DeliveredStates({
      scopes: this.#scopes,
      read: (key) => this.#seen.get(key),
      clock: options.clock,
    });
    for (const scope of options.scopes) this.addScope(scope);
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** A signal that is aborted when the informer is closed. */
  get closing(): AbortSignal {
    return this.#stop.signal;
  }

  /** Starts the lists and watches. Further calls have no effect. */
  start(): void {
    this.#isStarted = true;
    for (const scope of this.#scopes) scope.start();
  }

  /** Stops the watches and removes the handlers. Resolves when all watches have ended. Reads continue to return the last state. */
  async close(): Promise<void> {
    if (!this.isClosed) {
      this.#stop.abort(new DOMException('the informer was closed', 'AbortError'));
      this.#synced.close(this.#closedError());
      this.#handlers.clear();
      this.delivered.clear();
      for (const scope of this.#scopes) void this.#end(scope);
    }
    await Promise.all(this.#closing);
    this.#listeners.clear();
  }

  /**
   * Adds a scope. If the informer was started, starts to list and watch the scope. Has no effect if the scope is already watched. Throws
   * INFORMER_CLOSED if the informer is closed.
   */
  addScope(options: ScopeOptions<T>): void {
    if (this.isClosed) throw this.#closedError();
    const scope = new WatchedScope<T>(options, {
      target: (of) => this.#targetOf(of),
      reflector: {
        ...this.#options.reflector,
        notOlderThan: () => newest([this.newestVersion, this.#options.deliveredVersion?.() ?? '']),
        onStatus: () => this.#reportStatus(),
      },
    });
    if (this.#scopes.get(scope.key) !== undefined) return;
    this.#scopes.add(scope);
    this.#scoped.add(scope);
    this.#synced.shut();
    if (this.#isStarted) scope.start();
  }

  /**
   * Removes a scope and stops its watch. Objects that no other scope contains are removed, and handlers receive them as deleted and stale.
   */
  async removeScope(key: string): Promise<void> {
    const scope = this.#scopes.take(key);
    if (scope === undefined) return;
    const ended = this.#end(scope);
    const changes = this.#scoped.drop(scope);
    this.#seen.overlay.forget((write) => this.#writes.relevantTo(write).length === 0);
    this.#progressed();
    this.#handlers.deliver({ changes, ofScope: [] });
    if (this.isSynced) this.#finishSync();
    this.#reportStatus();
    await ended;
  }

  /** The watched scopes by key. */
  get scopes(): WatchedScopes<T> {
    return this.#scopes;
  }

  /**
   * Returns whether an object is in the scope with this key. Returns false if there is no such scope. For an own write that the watch has
   * not delivered, returns whether the scope selects the written object.
   */
  isIn(key: string, object: T): boolean {
    const scope = this.#scopes.get(key);
    if (scope === undefined) return false;
    const isOwnWrite = this.#seen.overlay.get(object.metadata)?.type === 'written';
    return isOwnWrite ? scope.isSelected(object) : this.#scoped.contains(scope, object.metadata);
  }

  get isSynced(): boolean {
    return this.#scopes.isSynced;
  }

  get hasSynced(): boolean {
    return this.#synced.isPassed;
  }
  synced(): Promise<void> {
    return this.#synced.passed();
  }

  get size(): number {
    return this.#seen.size;
  }
  get bytes(): number {
    return this.#store.bytes;
  }
  get clock(): Clock {
    return this.#options.clock;
  }
  get apiVersion(): string {
    return this.#options.apiVersion;
  }
  get metadataOnly(): boolean {
    return this.#options.metadataOnly ?? false;
  }

  /**
   * Returns the object with this key. For a cluster-scoped kind, ignores the namespace of the key, because the key of an owner can contain
   * the namespace of the child.
   */
  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    return this.#seen.get((this.#options.namespaced ?? true) ? key : { name: key.name }, options);
  }
  list(options?: ListOptions<T>): readonly T[] {
    return this.#seen.list(options);
  }
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[] {
    return this.#seen.byIndex(match);
  }

  /**
   * Returns whether the object has this value in an index. The object need not be in the store. Throws UNKNOWN_INDEX if the index was not
   * added.
   */
  isUnder({ name, value }: IndexMatch<T>, object: T): boolean {
    return this.#store.index(name).matches(object, value);
  }

  addIndex(index: Index<T>): void {
    if (this.isClosed) throw this.#closedError();
    this.#store.addIndex(index);
  }

  removeIndex(index: Index<T>): void {
    this.#store.removeIndex(index);
  }

  addHandler(handler: ChangeHandler<T>, options: HandlerOptions = {}, view?: HandlerView<T>): HandlerRegistration {
    if (this.isClosed) throw this.#closedError();
    const list = (): readonly T[] => view?.list() ?? this.#store.list();
    const replay = (): void => {
      if (queue.length === 0) queue.push(list().map((object) => ({ type: 'modified', object, old: object })));
    };
    const resync = this.#resync(options.resync, replay);
    const queue = this.#handlers.add(handler, { logger: this.#logger, view, onRemove: () => resync?.stop() });
    queue.push(list().map((object) => ({ type: 'added', object, initial: true })));
    if (view?.isSynced ?? this.isSynced) queue.pushSynced();
    return queue;
  }

  /** Notifies each handler whose view is synced of the end of the first list. Notifies each handler only once. */
  pushSynced(): void {
    this.#handlers.pushSynced(this.isSynced);
  }

  /** Delivers changes only to the handlers with this view. */
  deliverTo(view: HandlerView<T>, changes: readonly Change<T>[]): void {
    this.#handlers.deliverTo(view, changes);
  }

  get waiting(): number {
    return this.#handlers.waiting;
  }
  /** The oldest version of all scopes. Empty if a scope has no version yet. */
  get resourceVersion(): string {
    return this.#scopes.versionOf([...this.#scopes]);
  }

  /** The newest version of all scopes. Empty before the first list. */
  get newestVersion(): string {
    return newest([...this.#scopes].map(({ resourceVersion }) => resourceVersion));
  }

  async isBehind(): Promise<boolean> {
    if (!this.isSynced) return true;
    const behind = await Promise.all([...this.#scopes].map((scope) => this.#isBehind(scope)));
    return behind.includes(true);
  }

  get status(): ReflectorStatus {
    return this.#scopes.statusOf([...this.#scopes]);
  }

  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  covers(namespace: string | undefined): boolean {
    return this.#scopes.of(namespace).length > 0;
  }

  wrote(object: T): void {
    this.#writes.wrote(object);
  }
  deleted(key: ObjectKey, deletion?: Deletion): void {
    this.#writes.deleted(key, deletion);
  }
  hasSeen(object: KubeObject): boolean {
    return this.#writes.hasSeen(object);
  }

  /**
   * Returns undefined if reads of these objects already return the states that the other store of the kind has delivered, or newer states.
   * Otherwise, resolves with true when reads return these states, or with false if the objects must be read from the API server. Rejects
   * with the reason of the signal if the signal is aborted.
   */
  caughtUp({ name, namespace }: ReadObjects, options?: CatchUpOptions): Promise<boolean> | undefined {
    const isNamespaced = this.#options.namespaced ?? true;
    return this.delivered.caughtUp({ name, namespace: isNamespaced ? namespace : undefined }, options);
  }

  /** Returns how often the scopes of a namespace were listed again because the server was restored. */
  setBacks(namespace: string | undefined): number {
    return this.#scopes.of(namespace).reduce((sum, scope) => sum + scope.setBacks, 0);
  }

  /**
   * Whether the store has an older state than the server. Compares the versions first. If the listed version is newer, compares the
   * objects, because changes of other kinds also increase the version of a list.
   */
  async #isBehind(scope: WatchedScope<T>): Promise<boolean> {
    const listed = await listAll(scope.source, { resourceVersion: '', signal: this.closing });
    const { resourceVersion: seen } = scope;
    if (seen !== '' && !isNewer(listed.resourceVersion, seen)) return false;
    if (listed.objects.length !== this.#scoped.objectsOf(scope).length) return true;
    return listed.objects.some(({ metadata }) => {
      const stored = this.#store.get(metadata);
      return stored?.metadata.uid !== metadata.uid || stored.metadata.resourceVersion !== metadata.resourceVersion;
    });
  }

  #end(scope: WatchedScope<T>): Promise<void> {
    const ended = scope.close().finally(() => this.#closing.delete(ended));
    this.#closing.add(ended);
    return ended;
  }

  #targetOf(scope: WatchedScope<T>): ReflectorTarget<T> {
    const { overlay } = this.#seen;
    const settle = (): readonly Change<T>[] => {
      this.#writes.caughtUp();
      const changes = this.#scoped.settle();
      this.#progressed();
      return changes;
    };
    const deliver = (changed: ScopedChanges<T>, late: readonly Change<T>[], resourceVersion: string): void => {
      this.#deliver(scope, changed, resourceVersion);
      if (late.length > 0) this.#deliver(scope, { changes: late, ofScope: [] }, resourceVersion);
      this.#options.onStep?.();
    };
    const step = (changed: ScopedChanges<T>, metadata: T['metadata'], resourceVersion: string): void => {
      if (!overlay.isEmpty) overlay.saw(metadata, this.#store.get(metadata));
      deliver(changed, settle(), resourceVersion);
    };
    return {
      replace: (objects, resourceVersion, isSetBack) => {
        const initial = !scope.isSynced;
        scope.isSynced = true;
        if (isSetBack) {
          scope.setBacks++;
          overlay.forget((write) => this.#writes.relevantTo(write).includes(scope));
          this.delivered.clear();
        }
        const hidden = [...overlay.values()];
        const { changes: replaced, ofScope } = this.#scoped.replace(scope, objects, { initial, isSetBack });
        const late = settle();
        const unobserved = this.#seen.deletedUnobserved(hidden, replaced);
        const changes = unobserved.length === 0 ? replaced : [...unobserved, ...replaced];
        overlay.listed((key) => this.#store.get(key), scope.covers);
        this.#deliver(scope, { changes, ofScope }, resourceVersion);
        if (late.length > 0) this.#deliver(scope, { changes: late, ofScope: [] }, resourceVersion);
        if (initial) this.#finishSync();
        this.#options.onStep?.();
      },
      put: (object, resourceVersion) => step(this.#scoped.put(scope, object), object.metadata, resourceVersion),
      remove: (object, resourceVersion) => step(this.#scoped.remove(scope, object), object.metadata, resourceVersion),
      bookmark: (resourceVersion) => {
        deliver({ changes: settle(), ofScope: [] }, [], resourceVersion);
      },
    };
  }

  #progressed(): void {
    this.delivered.progressed();
    this.#options.onProgress?.();
  }

  #deliver(scope: WatchedScope<T>, changed: ScopedChanges<T>, resourceVersion: string): void {
    const { changes, ofScope } = changed;
    const isWhole = scope.source.labelSelector === undefined && !scope.isTracked;
    this.#options.onDelivery?.({ changes, ofScope, resourceVersion, isWhole });
    this.#handlers.deliver(changed, scope);
  }

  #finishSync(): void {
    if (this.isSynced) this.#synced.pass();
    this.#options.onSync?.();
    this.pushSynced();
  }

  /**
   * Starts the resyncs of a handler. Returns undefined if the handler has no resyncs. `replay` delivers all objects again, except if the
   * handler has pending changes.
   */
  #resync(requested: Duration | false | undefined, replay: () => void): Resync | undefined {
    const periodMs = requested === undefined ? this.#options.resyncMs : requested !== false && durationMs(requested);
    if (periodMs === undefined || periodMs === false) return undefined;
    return new Resync(periodMs, {
      clock: this.#options.clock,
      random: this.#options.reflector?.random ?? this.#options.clock.random.number,
      replay,
    });
  }

  #reportStatus(): void {
    if (this.#listeners.size === 0) return;
    const { status } = this;
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        listener(status);
      } catch (error) {
        this.#logger.error('a status listener of an informer failed', { error, kind: this.kind });
      }
    }
  }

  #closedError(): KubewrightError {
    return new KubewrightError('INFORMER_CLOSED', `the informer of ${this.kind} is closed: open a new informer`);
  }
}

function newest(versions: readonly string[]): string {
  return versions.reduce((first, second) => (isNewer(second, first) ? second : first), '');
}
