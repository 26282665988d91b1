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
import { type Deletion, isNewer } from './overlay.js';
import type { ReadOptions } from './read-options.js';
import type { ReflectorOptions, ReflectorTarget } from './reflector.js';
import type { ReflectorStatus } from './reflector-status.js';
import { Resync } from './resync.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration } from './shared-informer.js';
import { Store } from './store.js';
import { SyncGate } from './sync-gate.js';
import { type ScopeOptions, WatchedScope } from './watched-scope.js';
import { WatchedScopes } from './watched-scopes.js';

export interface KindInformerOptions<T extends KubeObject> {
  readonly kind: string;
  readonly apiVersion: string;
  /** One for each namespace that is watched by itself, or one for all. */
  readonly scopes: readonly ScopeOptions<T>[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often handlers get every object again, where they do not say so themselves. @default never */
  readonly resyncMs?: number | undefined;
  /** Called when the store stands for a newer version than before. */
  readonly onProgress?: (() => void) | undefined;
  readonly reflector?: Omit<ReflectorOptions<T>, 'source' | 'target' | 'onStatus'> | undefined;
}

/**
 * The store of one kind and selector, what keeps it up to date, and who wants to know. Whoever shares it holds an `InformerHandle`.
 * The store has a change before handlers hear of it.
 */
export class KindInformer<T extends KubeObject> {
  readonly kind: string;
  readonly #options: KindInformerOptions<T>;
  readonly #store: Store<T>;
  readonly #seen: OverlaidStore<T>;
  readonly #handlers = new Set<HandlerQueue<T>>();
  readonly #listeners = new Set<(status: ReflectorStatus) => void>();
  readonly #scopes: WatchedScopes<T>;
  readonly #logger: Logger;
  readonly #onProgress: () => void;
  readonly #stop = new AbortController();
  readonly #synced = new SyncGate();
  readonly #closing = new Set<Promise<void>>();
  /** Changes that handlers are being told, and those that these caused meanwhile, with whom to tell. */
  readonly #untold: { readonly handlers: readonly HandlerQueue<T>[]; readonly changes: readonly Change<T>[] }[] = [];
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
    this.#seen = new OverlaidStore(this.#store, {
      kind: options.kind,
      isSelected: (object) => this.#scopes.of(object.metadata.namespace)?.isSelected(object) ?? false,
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
      for (const handler of this.#handlers) handler.remove();
      for (const scope of this.#scopes) void this.#end(scope);
    }
    await Promise.all(this.#closing);
    this.#listeners.clear();
  }

  /** Begins to list and watch one more namespace, at once if the informer was started. Does nothing for one that is watched. */
  addScope(options: ScopeOptions<T>): void {
    if (this.isClosed) throw this.#closedError();
    const { namespace } = options.source;
    if (this.#scopes.has(namespace)) return;
    const scope = new WatchedScope<T>(options, {
      target: (of) => this.#targetOf(of),
      reflector: { ...this.#options.reflector, onStatus: () => this.#tellStatus() },
    });
    this.#scopes.add(scope);
    this.#synced.shut();
    if (this.#isStarted) scope.start();
  }

  /** Stops watching a namespace: its objects leave the store, and handlers get them as deleted and stale. */
  async removeScope(namespace: string): Promise<void> {
    const scope = this.#scopes.take(namespace);
    if (scope === undefined) return;
    const ended = this.#end(scope);
    this.#seen.overlay.forget(scope.covers);
    const changes = this.#store.replace([], { covers: scope.covers, initial: false });
    this.#onProgress();
    this.#tell(changes);
    if (this.isSynced) this.#finishSync();
    this.#tellStatus();
    await ended;
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
  get labels(): string | undefined {
    return this.#scopes.anySource?.labelSelector;
  }
  get fields(): string | undefined {
    return this.#scopes.anySource?.fieldSelector;
  }
  get metadataOnly(): boolean {
    return this.#scopes.anySource?.metadataOnly ?? false;
  }
  /** The namespaces that are watched, each by itself; undefined for all. */
  get namespaces(): readonly string[] | undefined {
    return this.#scopes.namespaces;
  }

  /** The namespace of a key is not looked at where the kind has none, so that an owner is found from what it owns. */
  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    const isNamespaced = this.#scopes.anySource?.resource.namespaced ?? true;
    return this.#seen.get(isNamespaced ? key : { name: key.name }, options);
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

  addHandler(handler: ChangeHandler<T>, options: HandlerOptions = {}): HandlerRegistration {
    if (this.isClosed) throw this.#closedError();
    const resync = this.#resync(options.resync, () => queue);
    const queue: HandlerQueue<T> = new HandlerQueue<T>(handler, this.#logger, (removed) => {
      resync?.stop();
      this.#handlers.delete(removed);
    });
    this.#handlers.add(queue);
    queue.push(this.#store.list().map((object) => ({ type: 'added', object, initial: true })));
    if (this.isSynced) queue.pushSynced();
    return queue;
  }

  get waiting(): number {
    let waiting = 0;
    for (const handler of this.#handlers) waiting += handler.length;
    return waiting;
  }
  /** The oldest version among the namespaces; empty while one has none. */
  get resourceVersion(): string {
    return this.#scopes.resourceVersion;
  }

  async isBehind(): Promise<boolean> {
    if (!this.isSynced) return true;
    const behind = await Promise.all([...this.#scopes].map((scope) => this.#isBehind(scope)));
    return behind.includes(true);
  }

  get status(): ReflectorStatus {
    return this.#scopes.status;
  }

  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  covers(namespace: string | undefined): boolean {
    return this.#scopes.of(namespace) !== undefined;
  }

  wrote(object: T): void {
    const { namespace, uid, resourceVersion } = object.metadata;
    if (isLetGo(object)) return this.deleted(object.metadata, { uid });
    const scope = this.#scopes.of(namespace);
    if (scope === undefined || !resourceVersion || hasPassed(scope, resourceVersion)) return;
    const adopted = scope.source.adopt(object);
    if (adopted !== undefined) this.#seen.overlay.wrote(adopted, this.#store.get(adopted.metadata));
  }

  deleted({ name, namespace }: ObjectKey, deletion: Deletion = {}): void {
    const { resourceVersion = '' } = deletion;
    const scope = this.#scopes.of(namespace);
    if (scope === undefined || (resourceVersion !== '' && hasPassed(scope, resourceVersion))) return;
    const key = { name, namespace };
    this.#seen.overlay.deleted(key, deletion, this.#store.get(key));
  }

  hasSeen(object: KubeObject): boolean {
    const { metadata } = object;
    const scope = this.#scopes.of(metadata.namespace);
    if (scope === undefined) return true;
    const write = this.#seen.overlay.get(metadata);
    if (!scope.isSynced || (write?.type === 'deleted' && write.uid === metadata.uid)) return false;
    if (hasPassed(scope, metadata.resourceVersion)) return true;
    const stored = this.#store.get(metadata);
    if (stored === undefined) return !scope.isSelected(object);
    return stored.metadata.uid === metadata.uid && !isNewer(metadata.resourceVersion, stored.metadata.resourceVersion);
  }

  /** By version where that suffices, for a watch may hear of the versions of other kinds late; else object by object. */
  async #isBehind(scope: WatchedScope<T>): Promise<boolean> {
    const listed = await listAll(scope.source, { resourceVersion: '', signal: this.closing });
    const { resourceVersion: seen } = scope;
    if (seen !== '' && !isNewer(listed.resourceVersion, seen)) return false;
    if (listed.objects.length !== this.#store.listIn(scope.covers).length) return true;
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
    let newest = '';
    const settle = (resourceVersion: string): void => {
      newest = resourceVersion;
      if (!overlay.isEmpty) overlay.caughtUp(resourceVersion, scope.covers);
      this.#onProgress();
    };
    return {
      replace: (objects, resourceVersion) => {
        const initial = !scope.isSynced;
        scope.isSynced = true;
        // A server that was set back to an older state counts its versions anew from there.
        if (isNewer(newest, resourceVersion)) overlay.forget(scope.covers);
        const hidden = [...overlay.values()];
        const replaced = this.#store.replace(objects, { covers: scope.covers, initial });
        settle(resourceVersion);
        const changes = [...this.#seen.goneUnseen(hidden, replaced), ...replaced];
        overlay.listed((key) => this.#store.get(key), scope.covers);
        this.#tell(changes);
        if (initial && this.isSynced) this.#finishSync();
      },
      put: (object, resourceVersion) => {
        const changes = this.#store.put(object);
        overlay.saw(object.metadata, object);
        settle(resourceVersion);
        this.#tell(changes);
      },
      remove: (object, resourceVersion) => {
        const changes = this.#store.remove(object.metadata, object);
        overlay.saw(object.metadata, undefined);
        settle(resourceVersion);
        this.#tell(changes);
      },
      bookmark: settle,
    };
  }

  #finishSync(): void {
    this.#synced.pass();
    for (const handler of this.#handlers) handler.pushSynced();
  }

  /** Hands a handler what the store has, unless it is still busy with what it was given before. */
  #resync(asked: Duration | false | undefined, queue: () => HandlerQueue<T>): Resync | undefined {
    const periodMs = asked === undefined ? this.#options.resyncMs : asked !== false && durationMs(asked);
    if (periodMs === undefined || periodMs === false) return undefined;
    const replay = (): void => {
      if (queue().length === 0)
        queue().push(this.#store.list().map((object) => ({ type: 'modified', object, old: object })));
    };
    return new Resync(periodMs, {
      clock: this.#options.clock,
      random: this.#options.reflector?.random ?? Math.random,
      replay,
    });
  }

  #tell(changes: readonly Change<T>[]): void {
    if (changes.length === 0) return;
    // A handler that is added by another one sees this change among the objects that are there.
    this.#untold.push({ handlers: [...this.#handlers], changes });
    if (this.#untold.length > 1) return;
    for (let next = this.#untold[0]; next !== undefined; next = this.#untold[0]) {
      for (const handler of next.handlers) handler.push(next.changes);
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
