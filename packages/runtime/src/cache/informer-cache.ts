import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Logger } from '../log/logger.js';
import { abortable } from '../transport/abortable.js';
import type { Discovery } from '../transport/discovery.js';
import type { ResourceInfo } from '../transport/resource-path.js';
import type { Transport } from '../transport/transport.js';
import { Cache, type Informer, type InformerOptions, type WaitOptions } from './cache.js';
import { CachedNamespaceSet } from './cached-namespace-set.js';
import { fieldSelectorText } from './field-match.js';
import type { Index } from './index-declaration.js';
import { InformerFactory } from './informer-factory.js';
import { InformerHandle } from './informer-handle.js';
import type { InformerSelection, SelectionRequest } from './informer-selection.js';
import type { KindInformer } from './kind-informer.js';
import { kindName, kindNameOf } from './kind-name.js';
import { labelSelectorText } from './label-match.js';
import type { ListOptions } from './list-options.js';
import type { Deletion } from './overlay.js';
import type { ReflectorOptions } from './reflector.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from './resolve-cache-options.js';
import { untilSeen } from './seen-wait.js';
import { scopeOf, selectInformer } from './select-informer.js';
import type { SharedInformer } from './shared-informer.js';
import { WholeKindWarning } from './whole-kind-warning.js';

export interface InformerCacheOptions {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is cached, and in what form. @default everything that is asked for, whole */
  readonly options?: ResolvedCacheOptions | undefined;
  /** How the reflectors list, watch and wait. */
  readonly reflector?: Omit<ReflectorOptions<KubeObject>, 'source' | 'target' | 'onStatus'> | undefined;
}

/** What an informer holds, and by what it finds it. */
export interface AcquireOptions<T extends KubeObject> {
  /** @default those of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** Equal labels, or a selector. Informers of different selectors are different informers. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  /** Equal fields, or a selector. @default all objects */
  readonly fields?: InformerOptions<T>['fields'];
  readonly indexes?: readonly Index<T>[];
  /** Whoever asks reads nothing but metadata, so that the options of the cache may leave out the rest. @default false */
  readonly metadataSuffices?: boolean;
}

/** An informer and how many hold it. */
interface Shared {
  readonly informer: KindInformer<KubeObject>;
  readonly resource: ResourceInfo;
  readonly request: SelectionRequest;
  readonly selection: InformerSelection;
  readonly key: string;
  holders: number;
}

/** The informers of a cluster: one for each kind, set of namespaces and selector, however many ask for it. */
export class InformerCache extends Cache implements AsyncDisposable {
  readonly #options: InformerCacheOptions;
  readonly #namespaces: CachedNamespaceSet;
  readonly #factory: InformerFactory;
  readonly #warning: WholeKindWarning;
  readonly #shared = new Map<string, Shared>();
  readonly #progressListeners = new Set<() => void>();
  /** What will be asked for whole, by key. */
  readonly #expected = new Set<string>();
  #isClosed = false;

  constructor(options: InformerCacheOptions) {
    super();
    this.#options = options;
    this.#namespaces = new CachedNamespaceSet(options.options ?? resolveCacheOptions());
    this.#warning = new WholeKindWarning(options.logger);
    const { transport, clock, logger, reflector } = options;
    this.#factory = new InformerFactory({ transport, clock, logger, reflector, onProgress: () => this.#progressed() });
  }

  /** The namespaces that the cache is limited to; undefined for all. */
  get namespaces(): readonly string[] | undefined {
    return this.#namespaces.names;
  }

  /** As `acquire`, and waits for the first list. */
  override async informer<T extends KubeObject>(
    kind: KindRef<T>,
    options: InformerOptions<T> = {},
  ): Promise<Informer<T>> {
    const { namespace, waitForSync = true, signal, ...acquire } = options;
    signal?.throwIfAborted();
    const informer = await this.acquire(kind, {
      ...acquire,
      ...(namespace !== undefined && { namespaces: [namespace] }),
    });
    try {
      if (waitForSync) await abortable(informer.synced(), signal);
      return informer;
    } catch (error) {
      await informer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Opens, or shares, the informer of a kind and selector; does not wait for the first list. Rejects with KIND_NOT_SERVED and METADATA_ONLY. */
  async acquire<T extends KubeObject>(kind: KindRef<T>, options: AcquireOptions<T> = {}): Promise<SharedInformer<T>> {
    const resource = await this.#options.discovery.resolve(kind);
    if (this.#isClosed)
      throw new KubewrightError(
        'INFORMER_CLOSED',
        `the cache is closed: no informer of ${resource.kind} can be opened`,
      );
    const held = this.#open(resource, {
      request: requestOf(kind, resource.namespaced ? options : { ...options, namespaces: undefined }),
      metadataSuffices: options.metadataSuffices ?? false,
    });
    const informer = held.informer as unknown as KindInformer<T>;
    held.holders++;
    const handle = new InformerHandle(informer, () => this.#release(held));
    try {
      for (const index of options.indexes ?? []) handle.addIndex(index);
    } catch (error) {
      await handle[Symbol.asyncDispose]();
      throw error;
    }
    informer.start();
    return handle;
  }

  /** The open informer of a kind with these namespaces and labels, as `acquire` would give it; disposing of this view does nothing. */
  existing<T extends KubeObject>(
    kind: KindRef<T>,
    options: Omit<AcquireOptions<T>, 'indexes'> = {},
  ): SharedInformer<T> | undefined {
    const info = kindOf(kind);
    for (const namespaces of [options.namespaces, undefined]) {
      const key = keyOf(info, requestOf(kind, { ...options, namespaces }));
      const shared = this.#shared.get(key) ?? this.#shared.get(`${key} metadata`);
      if (shared !== undefined) return viewOf<T>(shared);
    }
    return undefined;
  }

  /** Every open informer of a kind, whatever it selects. Views, as those of `existing`. */
  informersOf<T extends KubeObject>(kind: KindRef<T>): readonly SharedInformer<T>[] {
    return this.#sharedOf(kindOf(kind)).map((shared) => viewOf<T>(shared));
  }

  /** Every open informer. Views, as those of `existing`. */
  override informers(): readonly SharedInformer<KubeObject>[] {
    return [...this.#shared.values()].map((shared) => viewOf<KubeObject>(shared));
  }

  override async seen(object: KubeObject, options: WaitOptions = {}): Promise<void> {
    const isSeen = (): boolean => {
      if (this.#isClosed) throw new KubewrightError('INFORMER_CLOSED', `wait for ${object.kind}: the cache was closed`);
      return this.#sharedOf(object).every(({ informer }) => informer.hasSeen(object));
    };
    await untilSeen(object, {
      ...options,
      isSeen,
      onProgress: (listener) => this.onProgress(listener),
      clock: this.#options.clock,
    });
  }

  override async addNamespace(namespace: string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#namespaces.add(namespace);
    const following = this.#following();
    for (const { informer, resource, selection, request } of following) {
      const { current } = this.#namespaces;
      const kind = current.kinds.get(kindNameOf(resource));
      const scope = scopeOf(current, { kind, request, name: namespace });
      informer.addScope(this.#factory.scope(resource, selection, scope));
    }
    await Promise.all(following.map(({ informer }) => abortable(informer.synced(), options.signal)));
  }

  override async removeNamespace(namespace: string): Promise<void> {
    this.#namespaces.remove(namespace);
    await Promise.all(this.#following().map(({ informer }) => informer.removeScope(namespace)));
  }

  /**
   * Says what will be asked for, so that who comes first and wants no more than metadata shares the informer of who comes later and
   * wants whole objects.
   */
  expect(kinds: readonly (AcquireOptions<KubeObject> & { readonly kind: KindRef })[]): void {
    for (const { kind, ...options } of kinds) {
      if (!kindOf(kind).metadataOnly) this.#expected.add(keyOf(kindOf(kind), requestOf(kind, options)));
    }
  }

  /** Whether the options of the cache say that nothing but the metadata of a kind is kept. */
  isMetadataOnly(kind: KindRef): boolean {
    return this.#namespaces.current.kinds.get(kindName(kind))?.metadataOnly ?? false;
  }

  /** The kinds of which the server lists something that their informers, or handlers of them, do not know yet. */
  async behind(): Promise<readonly string[]> {
    const behind = await Promise.all(
      this.informers().map(async (informer) => ({
        kind: informer.kind,
        isBehind: (await informer.isBehind()) || informer.waiting > 0,
      })),
    );
    return behind.filter(({ isBehind }) => isBehind).map(({ kind }) => kind);
  }

  /** Tells every informer of the object's kind of a write, so that the next read sees it. */
  wrote(object: KubeObject): void {
    for (const { informer } of this.#sharedOf(object)) informer.wrote(object);
  }

  /** Tells every informer of a kind of a deletion, so that the next read sees it. */
  deleted(kind: Pick<KubeObject, 'apiVersion' | 'kind'>, key: ObjectKey, deletion?: Deletion): void {
    for (const { informer } of this.#sharedOf(kind)) informer.deleted(key, deletion);
  }

  /** Stops every informer; settles when nothing is open any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#shared.values()];
    this.#shared.clear();
    this.#progressed();
    await Promise.all(open.map((shared) => shared.informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Calls back when an informer stands for a newer version than before. Returns what ends it. */
  onProgress(listener: () => void): () => void {
    this.#progressListeners.add(listener);
    return () => void this.#progressListeners.delete(listener);
  }

  /** The informer of a request; one that holds more than its metadata serves those who want no more than that. */
  #open(
    resource: ResourceInfo,
    wanted: { readonly request: SelectionRequest; readonly metadataSuffices: boolean },
  ): Shared {
    const base = keyOf(resource, wanted.request);
    const metadataOnly = wanted.request.metadataOnly && !this.#expected.has(base);
    const request = { ...wanted.request, metadataOnly };
    const selection = selectInformer(this.#namespaces.current, resource, request);
    if (selection.metadataOnly && !wanted.request.metadataOnly && !wanted.metadataSuffices)
      throw metadataOnlyError(resource);
    const key = selection.metadataOnly ? `${base} metadata` : base;
    const known = this.#shared.get(base) ?? this.#shared.get(key);
    if (known !== undefined) return known;
    this.#warning.check(resource, selection);
    const informer = this.#factory.make(resource, selection);
    const shared = { informer, resource, request, selection, key, holders: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  #sharedOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): readonly Shared[] {
    return [...this.#shared.values()].filter(
      ({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind,
    );
  }

  #following(): readonly Shared[] {
    return [...this.#shared.values()].filter(({ selection }) => selection.followsCache);
  }

  #progressed(): void {
    for (const listener of this.#progressListeners) listener();
  }

  async #release(shared: Shared): Promise<void> {
    if (--shared.holders > 0) return;
    if (this.#shared.get(shared.key) === shared) this.#shared.delete(shared.key);
    this.#progressed();
    await shared.informer.close();
  }
}

function viewOf<T extends KubeObject>(shared: Shared): SharedInformer<T> {
  return new InformerHandle(shared.informer as unknown as KindInformer<T>, async () => undefined);
}

function requestOf<T extends KubeObject>(kind: KindRef<T>, options: AcquireOptions<T>): SelectionRequest {
  return {
    namespaces: options.namespaces,
    labels: labelSelectorText(options.labels),
    fields: fieldSelectorText(options.fields),
    metadataOnly: kindOf(kind).metadataOnly,
  };
}

function keyOf(
  resource: Pick<ResourceInfo, 'apiVersion' | 'kind'>,
  { namespaces, labels, fields }: SelectionRequest,
): string {
  const scope = namespaces === undefined ? '' : JSON.stringify([...new Set(namespaces)].toSorted());
  return `${kindNameOf(resource)} ${scope} ${labels ?? ''} ${fields ?? ''}`;
}

function metadataOnlyError({ kind }: ResourceInfo): KubewrightError {
  return new KubewrightError(
    'METADATA_ONLY',
    `read ${kind} from the cache: cacheOf(${kind}) keeps nothing but metadata; declare and read metadataOnly(${kind}), read it with client.live, or leave the option out`,
  );
}
