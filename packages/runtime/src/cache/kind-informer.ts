import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import type { Logger } from '../log/logger.js';
import type { Change } from './change.js';
import { HandlerQueue } from './handler-queue.js';
import type { Index, IndexMatch } from './index-declaration.js';
import { labelMatcher } from './label-match.js';
import { listAll } from './list-pages.js';
import type { ListOptions } from './list-options.js';
import type { ObjectSource } from './object-source.js';
import { Overlay, type OwnWrite } from './overlay.js';
import { Reflector, type ReflectorOptions, type ReflectorTarget } from './reflector.js';
import type { ReflectorState, ReflectorStatus } from './reflector-status.js';
import type { ChangeHandler, HandlerRegistration } from './shared-informer.js';
import { Store } from './store.js';

/** The worst first. */
const STATES: readonly ReflectorState['name'][] = ['stopped', 'waiting', 'idle', 'listing', 'streaming', 'watching'];

export interface KindInformerOptions<T extends KubeObject> {
  readonly kind: string;
  /** One for each namespace that is watched by itself, or one for all. */
  readonly sources: readonly ObjectSource<T>[];
  /** What the sources select by. */
  readonly labels?: ListOptions<T>['labels'];
  readonly logger: Logger;
  /** Called when the store stands for a newer version than before. */
  readonly onProgress?: (() => void) | undefined;
  readonly reflector?: Omit<ReflectorOptions<T>, 'source' | 'target' | 'onStatus'>;
}

/**
 * The store of one kind and selector, what keeps it up to date, and who wants to know. Whoever shares it holds an `InformerHandle`.
 * The store has a change before handlers hear of it.
 */
export class KindInformer<T extends KubeObject> {
  readonly kind: string;
  readonly #store: Store<T>;
  readonly #overlay = new Overlay<T>();
  readonly #handlers = new Set<HandlerQueue<T>>();
  readonly #listeners = new Set<(status: ReflectorStatus) => void>();
  readonly #sources: readonly ObjectSource<T>[];
  readonly #reflectors: readonly Reflector<T>[];
  readonly #unsynced: Set<ObjectSource<T>>;
  readonly #namespaces: readonly (string | undefined)[];
  readonly #isSelected: (object: KubeObject) => boolean;
  readonly #logger: Logger;
  readonly #onProgress: () => void;
  readonly #stop = new AbortController();
  readonly #synced: Promise<void>;
  #resolveSynced: () => void = () => undefined;
  #rejectSynced: (reason: unknown) => void = () => undefined;
  #running: Promise<unknown> | undefined;

  constructor(options: KindInformerOptions<T>) {
    this.kind = options.kind;
    this.#logger = options.logger;
    this.#onProgress = options.onProgress ?? (() => undefined);
    this.#isSelected = labelMatcher(options.labels);
    this.#store = new Store<T>((error, object) => {
      this.#logger.error('an index failed on an object', { error, kind: object.kind, name: object.metadata.name });
    });
    this.#sources = options.sources;
    this.#namespaces = options.sources.map((source) => source.namespace);
    this.#unsynced = new Set(options.sources);
    this.#synced = new Promise((resolve, reject) => {
      this.#resolveSynced = resolve;
      this.#rejectSynced = reject;
    });
    // Who does not wait for it need not know that it never came.
    this.#synced.catch(() => undefined);
    const onStatus = (): void => this.#tellStatus();
    this.#reflectors = options.sources.map(
      (source) => new Reflector<T>({ ...options.reflector, source, target: this.#targetOf(source), onStatus }),
    );
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
    this.#running ??= Promise.all(this.#reflectors.map((reflector) => reflector.run(this.#stop.signal)));
  }

  /** Stops watching, removes the handlers, and settles when nothing is open any more. Reads give the last state. */
  async close(): Promise<void> {
    if (!this.isClosed) {
      this.#stop.abort(new DOMException('the informer was closed', 'AbortError'));
      this.#rejectSynced(this.#closedError());
      for (const handler of this.#handlers) handler.remove();
    }
    await this.#running;
    this.#listeners.clear();
  }

  get isSynced(): boolean {
    return this.#unsynced.size === 0;
  }

  synced(): Promise<void> {
    return this.#synced;
  }

  get size(): number {
    if (this.#overlay.isEmpty) return this.#store.size;
    let size = this.#store.size;
    for (const write of this.#overlay.values()) {
      const key = write.type === 'written' ? write.object.metadata : write.key;
      const stored = this.#store.get(key) !== undefined;
      const read = this.get(key) !== undefined;
      size += Number(read) - Number(stored);
    }
    return size;
  }

  get(key: ObjectKey): T | undefined {
    const stored = this.#store.get(key);
    return this.#overlay.isEmpty ? stored : this.#seen(key, stored);
  }

  list(options: ListOptions<T> = {}): readonly T[] {
    if (options.fields !== undefined) {
      throw new KubewrightError(
        'UNSUPPORTED_READ',
        `list ${this.kind}: fields can only be selected by a live read; declare an index instead`,
      );
    }
    const { namespace, index } = options;
    let objects = index === undefined ? this.#read(this.#store.list(namespace), namespace) : this.byIndex(index);
    if (index !== undefined && namespace !== undefined)
      objects = objects.filter((object) => object.metadata.namespace === namespace);
    return options.labels === undefined ? objects : objects.filter(labelMatcher(options.labels));
  }

  byIndex(match: IndexMatch<T>): readonly T[] {
    const index = this.#store.index(match.name);
    const objects = [...(index.get(match.value) ?? [])];
    if (this.#overlay.isEmpty) return objects;
    const read = objects.filter(
      (object) => this.#overlay.get(object.metadata) === undefined || this.#seen(object.metadata, object) === object,
    );
    for (const write of this.#overlay.values()) {
      if (write.type === 'written' && this.#isSelected(write.object) && index.matches(write.object, match.value))
        read.push(write.object);
    }
    return read;
  }

  addIndex(index: Index<T>): void {
    if (this.isClosed) throw this.#closedError();
    this.#store.addIndex(index);
  }

  addHandler(handler: ChangeHandler<T>): HandlerRegistration {
    if (this.isClosed) throw this.#closedError();
    const queue = new HandlerQueue<T>(handler, this.#logger, (removed) => this.#handlers.delete(removed));
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
    const versions = this.#reflectors.map((reflector) => reflector.status.resourceVersion);
    if (versions.includes('')) return '';
    return versions.reduce((oldest, version) => (isOlder(version, oldest) ? version : oldest));
  }

  async isBehind(): Promise<boolean> {
    if (!this.isSynced) return true;
    const behind = await Promise.all(this.#sources.map((source, at) => this.#isBehind(source, at)));
    return behind.includes(true);
  }

  get status(): ReflectorStatus {
    const statuses = this.#reflectors.map((reflector) => reflector.status);
    const worst = statuses.reduce((first, second) =>
      STATES.indexOf(second.state.name) < STATES.indexOf(first.state.name) ? second : first,
    );
    return worst.problem === undefined ? (statuses.find(({ problem }) => problem !== undefined) ?? worst) : worst;
  }

  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  covers(namespace: string | undefined): boolean {
    return this.#namespaces.includes(undefined) || (namespace !== undefined && this.#namespaces.includes(namespace));
  }

  wrote(object: T): void {
    const { namespace } = object.metadata;
    if (!this.covers(namespace) || this.#hasPassed(object.metadata.resourceVersion, namespace)) return;
    this.#overlay.wrote(object, this.#store.get(object.metadata));
  }

  deleted(key: ObjectKey, resourceVersion = ''): void {
    if (resourceVersion !== '' && this.#hasPassed(resourceVersion, key.namespace)) return;
    this.#overlay.deleted(key, resourceVersion, this.#store.get(key));
  }

  /** By version where that suffices, for a watch may hear of the versions of other kinds late; else object by object. */
  async #isBehind(source: ObjectSource<T>, at: number): Promise<boolean> {
    const listed = await listAll(source, { resourceVersion: '', signal: this.closing });
    const seen = this.#reflectors[at]?.status.resourceVersion ?? '';
    if (seen !== '' && !isOlder(seen, listed.resourceVersion)) return false;
    if (listed.objects.length !== this.#store.list(source.namespace).length) return true;
    return listed.objects.some(({ metadata }) => {
      const stored = this.#store.get(metadata);
      return stored?.metadata.uid !== metadata.uid || stored.metadata.resourceVersion !== metadata.resourceVersion;
    });
  }

  #hasPassed(resourceVersion: string, namespace: string | undefined): boolean {
    const index = this.#namespaces.findIndex((watched) => watched === undefined || watched === namespace);
    const seen = this.#reflectors[index]?.status.resourceVersion ?? '';
    return seen !== '' && !isOlder(seen, resourceVersion);
  }

  /** What a read of this key gives, where the store has `stored`. */
  #seen(key: ObjectKey, stored: T | undefined): T | undefined {
    const write = this.#overlay.get(key);
    if (write === undefined) return stored;
    if (write.type === 'written') return this.#isSelected(write.object) ? write.object : undefined;
    return stored?.metadata.uid === write.uid ? undefined : stored;
  }

  #read(stored: readonly T[], namespace: string | undefined): readonly T[] {
    if (this.#overlay.isEmpty) return stored;
    const read = stored.filter((object) => this.#seen(object.metadata, object) === object);
    for (const write of this.#overlay.values()) {
      if (write.type !== 'written' || !this.#isSelected(write.object)) continue;
      if (namespace === undefined || write.object.metadata.namespace === namespace) read.push(write.object);
    }
    return read;
  }

  #targetOf(source: ObjectSource<T>): ReflectorTarget<T> {
    const { namespace } = source;
    const settle = (resourceVersion: string): void => {
      if (!this.#overlay.isEmpty) this.#overlay.caughtUp(resourceVersion, namespace);
      this.#onProgress();
    };
    return {
      replace: (objects, resourceVersion) => {
        const initial = this.#unsynced.delete(source);
        const hidden = [...this.#overlay.values()];
        const replaced = this.#store.replace(objects, { namespace, initial });
        settle(resourceVersion);
        const changes = [...this.#goneUnseen(hidden, replaced), ...replaced];
        this.#overlay.listed((key) => this.#store.get(key), namespace);
        this.#tell(changes);
        if (initial && this.isSynced) this.#finishSync();
      },
      put: (object, resourceVersion) => {
        const changes = this.#store.put(object);
        this.#overlay.saw(object.metadata, object);
        settle(resourceVersion);
        this.#tell(changes);
      },
      remove: (object, resourceVersion) => {
        const changes = this.#store.remove(object.metadata, object);
        this.#overlay.saw(object.metadata, undefined);
        settle(resourceVersion);
        this.#tell(changes);
      },
      bookmark: settle,
    };
  }

  /** Deletions of own writes that were read, and were gone again before a list or an event brought them. */
  #goneUnseen(before: readonly OwnWrite<T>[], replaced: readonly Change<T>[]): readonly Change<T>[] {
    const told = new Set(replaced.map(({ object }) => object.metadata.uid));
    return before.flatMap((write): readonly Change<T>[] => {
      if (write.type !== 'written' || !this.#isSelected(write.object)) return [];
      const { metadata } = write.object;
      const isThere = this.get(metadata)?.metadata.uid === metadata.uid;
      return isThere || told.has(metadata.uid) ? [] : [{ type: 'deleted', object: write.object, stale: true }];
    });
  }

  #finishSync(): void {
    this.#resolveSynced();
    for (const handler of this.#handlers) handler.pushSynced();
  }

  #tell(changes: readonly Change<T>[]): void {
    if (changes.length === 0) return;
    // A handler that is added by another one sees this change among the objects that are there.
    const handlers = [...this.#handlers];
    for (const handler of handlers) handler.push(changes);
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

function isOlder(a: string, b: string): boolean {
  if (a === b) return false;
  try {
    return compareResourceVersions(a, b) < 0;
  } catch {
    return false;
  }
}
