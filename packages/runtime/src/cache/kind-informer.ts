import type { KubeObject, ObjectKey } from '@kubewright/api';
import { type Clock, type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Change } from './change.js';
import { HandlerQueue } from './handler-queue.js';
import type { Index, IndexMatch } from './index-declaration.js';
import { listAll } from './list-pages.js';
import type { ListOptions } from './list-options.js';
import { OverlaidStore } from './overlaid-store.js';
import { isLetGo } from './is-let-go.js';
import { type Deletion, isNewer, type OwnWrite } from './overlay.js';
import type { ReadOptions } from './read-options.js';
import type { ReflectorOptions, ReflectorTarget } from './reflector.js';
import type { ReflectorStatus } from './reflector-status.js';
import { Resync } from './resync.js';
import { type ScopedChanges, ScopedStore } from './scoped-store.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration } from './shared-informer.js';
import { Store } from './store.js';
import { SyncGate } from './sync-gate.js';
import { type ScopeOptions, WatchedScope } from './watched-scope.js';
import { WatchedScopes } from './watched-scopes.js';

export interface KindInformerOptions<T extends KubeObject> {
  readonly kind: string;
  readonly apiVersion: string;
  /** The parts that are watched by themselves from the start. */
  readonly scopes: readonly ScopeOptions<T>[];
  /** Whether its objects are in namespaces. @default true */
  readonly namespaced?: boolean | undefined;
  /** Whether it holds nothing but metadata. @default false */
  readonly metadataOnly?: boolean | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often handlers get every object again, where they do not say so themselves. @default never */
  readonly resyncMs?: number | undefined;
  /** Called when the store stands for a newer version than before. */
  readonly onProgress?: (() => void) | undefined;
  /** Called when a scope was listed for the first time, before handlers are synced. */
  readonly onSync?: (() => void) | undefined;
  /** Called at the end of each step of a scope, after handlers got its changes. */
  readonly onStep?: (() => void) | undefined;
  readonly reflector?: Omit<ReflectorOptions<T>, 'source' | 'target' | 'onStatus'> | undefined;
}

/** The share of an informer that a handler gets. */
export interface HandlerView<T extends KubeObject> {
  /** Whether the handler has to wait for no further first list. */
  readonly isSynced: boolean;
  /** The objects of its share that are there now. */
  list(): readonly T[];
  /** Returns what a change of the store is for the handler; undefined for nothing. */
  see(change: Change<T>): Change<T> | undefined;
  /** Whether the handler gets the changes of the objects of a tracked scope. */
  follows(scope: WatchedScope<T>): boolean;
}

/** Changes that handlers have not been given yet. */
interface Untold<T extends KubeObject> extends Partial<ScopedChanges<T>> {
  readonly handlers: readonly (readonly [HandlerQueue<T>, HandlerView<T> | undefined])[];
  readonly changes: readonly Change<T>[];
  readonly scope?: WatchedScope<T>;
}

/**
 * The store of one kind, the watches that keep it up to date, and the handlers of its changes. Each holder has an `InformerHandle`.
 * Several watches may bring the same object: see `ScopedStore`. The store has a change before handlers get it.
 */
export class KindInformer<T extends KubeObject> {
  readonly kind: string;
  readonly #options: KindInformerOptions<T>;
  readonly #store: Store<T>;
  readonly #scoped: ScopedStore<T>;
  readonly #seen: OverlaidStore<T>;
  readonly #handlers = new Map<HandlerQueue<T>, HandlerView<T> | undefined>();
  readonly #listeners = new Set<(status: ReflectorStatus) => void>();
  readonly #scopes: WatchedScopes<T>;
  readonly #logger: Logger;
  readonly #onProgress: () => void;
  readonly #stop = new AbortController();
  readonly #synced = new SyncGate();
  readonly #closing = new Set<Promise<void>>();
  /** Changes that handlers are being told, and those that these caused meanwhile, with whom to tell. */
  readonly #untold: Untold<T>[] = [];
  #isStarted = false;

  constructor(options: KindInformerOptions<T>) {
    this.kind = options.kind;
    this.#options = options;
    this.#scopes = new WatchedScopes<T>(options.kind);
    this.#logger = options.logger;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#store = new Store<T>((error, object) => {
      this.#logger.error('an index failed on an object', { error, kind: object.kind, name: object.metadata.name });
    });
    this.#scoped = new ScopedStore(this.#store);
    this.#seen = new OverlaidStore(this.#store, {
      kind: options.kind,
      isSelected: (object) => this.#scopes.of(object.metadata.namespace).some((scope) => scope.isSelected(object)),
    });
    for (const scope of options.scopes) this.addScope(scope);
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborted when the informer is closed. */
  get closing(): AbortSignal {
    return this.#stop.signal;
  }

  /** Starts listing and watching; does nothing the second time. */
  start(): void {
    this.#isStarted = true;
    for (const scope of this.#scopes) scope.start();
  }

  /** Stops watching, removes the handlers, and settles when nothing is open any more. Reads give the last state. */
  async close(): Promise<void> {
    if (!this.isClosed) {
      this.#stop.abort(new DOMException('the informer was closed', 'AbortError'));
      this.#synced.close(this.#closedError());
      for (const handler of this.#handlers.keys()) handler.remove();
      for (const scope of this.#scopes) void this.#end(scope);
    }
    await Promise.all(this.#closing);
    this.#listeners.clear();
  }

  /** Begins to list and watch one more scope, at once if the informer was started. Does nothing for one that is watched. */
  addScope(options: ScopeOptions<T>): void {
    if (this.isClosed) throw this.#closedError();
    const scope = new WatchedScope<T>(options, {
      target: (of) => this.#targetOf(of),
      reflector: { ...this.#options.reflector, onStatus: () => this.#tellStatus() },
    });
    if (this.#scopes.get(scope.key) !== undefined) return;
    this.#scopes.add(scope);
    this.#scoped.add(scope);
    this.#synced.shut();
    if (this.#isStarted) scope.start();
  }

  /** Stops watching a scope: its objects leave the store unless others contain them, and handlers get them as deleted and stale. */
  async removeScope(key: string): Promise<void> {
    const scope = this.#scopes.take(key);
    if (scope === undefined) return;
    const ended = this.#end(scope);
    const changes = this.#scoped.drop(scope);
    this.#seen.overlay.forget((write) => this.#relevantTo(write).length === 0);
    this.#onProgress();
    this.#tell({ changes });
    if (this.isSynced) this.#finishSync();
    this.#tellStatus();
    await ended;
  }

  /** The scopes that are watched, by key. */
  get scopes(): WatchedScopes<T> {
    return this.#scopes;
  }

  /** Whether an object is in a tracked scope, or an own write of it is expected to be. */
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

  /** The namespace of a key is not looked at where the kind has none, so that an owner is found from what it owns. */
  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    return this.#seen.get((this.#options.namespaced ?? true) ? key : { name: key.name }, options);
  }
  list(options?: ListOptions<T>): readonly T[] {
    return this.#seen.list(options);
  }
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[] {
    return this.#seen.byIndex(match);
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
    const queue: HandlerQueue<T> = new HandlerQueue<T>(handler, this.#logger, (removed) => {
      resync?.stop();
      this.#handlers.delete(removed);
    });
    this.#handlers.set(queue, view);
    queue.push(list().map((object) => ({ type: 'added', object, initial: true })));
    if (view?.isSynced ?? this.isSynced) queue.pushSynced();
    return queue;
  }

  /** Gives changes to the handlers of a view alone, which are changes of what the view selects. */
  tell(view: HandlerView<T>, changes: readonly Change<T>[]): void {
    this.#tell({
      changes,
      handlers: [...this.#handlers].filter(([, of]) => of === view).map(([queue]) => [queue, undefined]),
    });
  }

  get waiting(): number {
    let waiting = 0;
    for (const handler of this.#handlers.keys()) waiting += handler.length;
    return waiting;
  }
  /** The oldest version among the scopes; empty while one has none. */
  get resourceVersion(): string {
    return this.#scopes.versionOf([...this.#scopes]);
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
    const { uid, resourceVersion } = object.metadata;
    if (isLetGo(object)) return this.deleted(object.metadata, { uid });
    const scopes = this.#mayContain(object);
    const [first] = scopes;
    if (first === undefined || !resourceVersion || scopes.every((scope) => hasPassed(scope, resourceVersion))) return;
    const adopted = first.source.adopt(object);
    if (adopted !== undefined) this.#seen.overlay.wrote(adopted, this.#store.get(adopted.metadata));
  }

  deleted({ name, namespace }: ObjectKey, deletion: Deletion = {}): void {
    const { resourceVersion = '' } = deletion;
    const key = { name, namespace };
    const scopes = this.#scopes.of(namespace).filter((scope) => this.#scoped.contains(scope, key));
    const isKnown = scopes.length > 0 && scopes.every((scope) => hasPassed(scope, resourceVersion));
    if (resourceVersion !== '' && isKnown) return;
    this.#seen.overlay.deleted(key, deletion, this.#store.get(key));
  }

  hasSeen(object: KubeObject): boolean {
    const { metadata } = object;
    const scopes = this.#mayContain(object);
    if (scopes.length === 0) return true;
    const write = this.#seen.overlay.get(metadata);
    if (!scopes.every(({ isSynced }) => isSynced)) return false;
    if (write?.type === 'deleted' && write.uid === metadata.uid) return false;
    if (scopes.every((scope) => hasPassed(scope, metadata.resourceVersion))) return true;
    const stored = this.#store.get(metadata);
    if (stored === undefined) return !scopes.some((scope) => scope.isSelected(object));
    return stored.metadata.uid === metadata.uid && !isNewer(metadata.resourceVersion, stored.metadata.resourceVersion);
  }

  /** By version where that suffices, for a watch may hear of the versions of other kinds late; else object by object. */
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

  /** The scopes that contain an object of this key, or may contain this state of it. */
  #mayContain(object: KubeObject): readonly WatchedScope<T>[] {
    const { metadata } = object;
    return this.#scopes
      .of(metadata.namespace)
      .filter((scope) => scope.isTracked || scope.isSelected(object) || this.#scoped.contains(scope, metadata));
  }
  /** The scopes whose watch shows the effect of an own write. */
  #relevantTo(write: OwnWrite<T>): readonly WatchedScope<T>[] {
    if (write.type === 'written') return this.#mayContain(write.object);
    return this.#scopes.of(write.key.namespace).filter((scope) => this.#scoped.contains(scope, write.key));
  }

  #targetOf(scope: WatchedScope<T>): ReflectorTarget<T> {
    const { overlay } = this.#seen;
    let newest = '';
    const isPast = (write: OwnWrite<T>): boolean =>
      this.#relevantTo(write).every((relevant) => hasPassed(relevant, write.resourceVersion));
    const settle = (resourceVersion: string): readonly Change<T>[] => {
      newest = resourceVersion;
      if (!overlay.isEmpty) overlay.caughtUp(isPast);
      const changes = this.#scoped.settle();
      this.#onProgress();
      return changes;
    };
    const step = (changed: ScopedChanges<T>, metadata: T['metadata'], resourceVersion: string): void => {
      overlay.saw(metadata, this.#store.get(metadata));
      const late = settle(resourceVersion);
      this.#tell({ ...changed, scope });
      this.#tell({ changes: late });
      this.#options.onStep?.();
    };
    return {
      replace: (objects, resourceVersion) => {
        const initial = !scope.isSynced;
        scope.isSynced = true;
        // A server that was set back to an older state counts its versions anew from there.
        const isSetBack = isNewer(newest, resourceVersion);
        if (isSetBack) overlay.forget((write) => this.#relevantTo(write).includes(scope));
        const hidden = [...overlay.values()];
        const { changes: replaced, ofScope } = this.#scoped.replace(scope, objects, { initial, isSetBack });
        const late = settle(resourceVersion);
        const changes = [...this.#seen.goneUnseen(hidden, replaced), ...replaced];
        overlay.listed((key) => this.#store.get(key), scope.covers);
        this.#tell({ changes, scope, ofScope });
        this.#tell({ changes: late });
        if (initial) this.#finishSync();
        this.#options.onStep?.();
      },
      put: (object, resourceVersion) => step(this.#scoped.put(scope, object), object.metadata, resourceVersion),
      remove: (object, resourceVersion) => step(this.#scoped.remove(scope, object), object.metadata, resourceVersion),
      bookmark: (resourceVersion) => {
        this.#tell({ changes: settle(resourceVersion) });
        this.#options.onStep?.();
      },
    };
  }

  #finishSync(): void {
    if (this.isSynced) this.#synced.pass();
    this.#options.onSync?.();
    for (const [handler, view] of this.#handlers) if (view?.isSynced ?? this.isSynced) handler.pushSynced();
  }

  /** Hands a handler what the store has, unless it is still busy with what it was given before. */
  #resync(asked: Duration | false | undefined, replay: () => void): Resync | undefined {
    const periodMs = asked === undefined ? this.#options.resyncMs : asked !== false && durationMs(asked);
    if (periodMs === undefined || periodMs === false) return undefined;
    return new Resync(periodMs, {
      clock: this.#options.clock,
      random: this.#options.reflector?.random ?? Math.random,
      replay,
    });
  }

  #tell(untold: Omit<Untold<T>, 'handlers'> & Partial<Pick<Untold<T>, 'handlers'>>): void {
    if (untold.changes.length === 0 && (untold.ofScope ?? []).length === 0) return;
    // A handler that is added by another one sees this change among the objects that are there.
    this.#untold.push({ handlers: [...this.#handlers], ...untold });
    if (this.#untold.length > 1) return;
    for (let next = this.#untold[0]; next !== undefined; next = this.#untold[0]) {
      for (const [queue, view] of next.handlers) queue.push(view === undefined ? next.changes : seenBy(view, next));
      this.#untold.shift();
    }
  }

  #tellStatus(): void {
    if (this.#listeners.size === 0) return;
    const { status } = this;
    const listeners = [...this.#listeners];
    for (const listener of listeners) {
      try {
        listener(status);
      } catch (error) {
        this.#logger.error('a listener to the status of an informer failed', { error, kind: this.kind });
      }
    }
  }

  #closedError(): KubewrightError {
    return new KubewrightError('INFORMER_CLOSED', `the informer of ${this.kind} is closed: open another`);
  }
}

function hasPassed<T extends KubeObject>(scope: WatchedScope<T>, resourceVersion: string): boolean {
  return scope.resourceVersion !== '' && !isNewer(resourceVersion, scope.resourceVersion);
}

function seenBy<T extends KubeObject>(
  view: HandlerView<T>,
  { changes, scope, ofScope = [] }: Untold<T>,
): readonly Change<T>[] {
  const seen = changes.flatMap((change) => view.see(change) ?? []);
  return scope !== undefined && ofScope.length > 0 && view.follows(scope) ? [...seen, ...ofScope] : seen;
}
