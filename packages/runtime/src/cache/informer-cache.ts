import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Logger } from '../log/logger.js';
import { abortable } from '../waiting/abortable.js';
import type { Discovery } from '../transport/discovery/discovery.js';
import type { ResourceInfo } from '../transport/request/resource-path.js';
import type { Transport } from '../transport/sending/transport.js';
import type { AcquireOptions } from './informer/acquire-options.js';
import { Cache } from './cache.js';
import type { Informer, InformerOptions } from './informer/informer.js';
import type { WaitOptions } from '../waiting/bounded-wait.js';
import { CachedNamespaceSet } from './cached-namespace-set.js';
import { fieldSelectorText } from './selection/field-match.js';
import type { Declaration } from './informer/declaration.js';
import type { Delivery } from './informer/delivered-states.js';
import { InformerFactory } from './informer/informer-factory.js';
import { InformerHandle } from './informer/informer-handle.js';
import type { InformerScope, InformerSelection, SelectionRequest } from './selection/informer-selection.js';
import { KindDeclarations } from './informer/kind-declarations.js';
import type { WatchedScope } from './informer/scopes/watched-scope.js';
import type { SharedInformer } from './informer/shared-informer.js';
import { kindName, kindNameOf } from './selection/kind-name.js';
import { KindReads } from './informer/kind-reads.js';
import { labelSelectorText } from './store/label-match.js';
import { LiveReadNotice } from './informer/notices/live-read-notice.js';
import type { Deletion } from './store/overlay.js';
import type { ReflectorOptions } from './reflector/reflector.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from './selection/resolve-cache-options.js';
import { untilSeen } from './informer/seen-wait.js';
import { referencedScopes } from './selection/referenced-scopes.js';
import { coversScope } from './selection/scope-cover.js';
import { selectInformer } from './selection/select-informer.js';
import { WholeKindWarning } from './informer/notices/whole-kind-warning.js';

export interface InformerCacheOptions {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The options that select the cached objects and their form. @default all requested objects, with all fields except managedFields */
  readonly options?: ResolvedCacheOptions | undefined;
  /** The options of the reflectors. */
  readonly reflector?: Omit<ReflectorOptions<KubeObject>, 'source' | 'target' | 'onStatus'> | undefined;
}

/** The open informer for the objects of a kind, or for their metadata, with its declarations. */
interface Shared {
  readonly key: string;
  readonly resource: ResourceInfo;
  readonly metadataOnly: boolean;
  readonly informer: SharedInformer<KubeObject>;
  readonly declarations: KindDeclarations;
  /** The declarations that use the namespaces of the cache. Each value returns the current scopes of the declaration. */
  readonly following: Map<Declaration<KubeObject>, () => readonly InformerScope[]>;
  reads?: KindReads<KubeObject>;
  /** The number of reads that were sent to the API server because the cache could not answer them. */
  liveReads: number;
}

/** A request for an informer of a kind. */
interface Desired {
  readonly request: SelectionRequest;
  readonly metadataSuffices: boolean;
  /** Whether the declaration selects objects by keys, which are set later. */
  readonly byKeys: boolean;
}

/**
 * The implementation of `Cache`. Opens at most two informers per kind: one for whole objects, and one for metadata. Declarations that need
 * only metadata use the metadata informer. An informer covers the union of its declarations; see `KindDeclarations`.
 */
export class InformerCache extends Cache implements AsyncDisposable {
  readonly #options: InformerCacheOptions;
  readonly #namespaces: CachedNamespaceSet;
  readonly #factory: InformerFactory;
  readonly #warning: WholeKindWarning;
  readonly #notice: LiveReadNotice;
  readonly #shared = new Map<string, Shared>();
  readonly #progressListeners = new Set<() => void>();
  /** The expected declarations of whole objects, by the name of the kind. See `expect`. */
  #expected: ReadonlyMap<string, readonly SelectionRequest[]> = new Map();
  #isClosed = false;

  constructor(options: InformerCacheOptions) {
    super();
    this.#options = options;
    this.#namespaces = new CachedNamespaceSet(options.options ?? resolveCacheOptions());
    this.#warning = new WholeKindWarning(options.logger);
    this.#notice = new LiveReadNotice(options.logger);
    const { transport, clock, logger, reflector } = options;
    this.#factory = new InformerFactory({ transport, clock, logger, reflector, onProgress: () => this.#progressed() });
  }

  /** The namespaces of the cache. Undefined if the cache contains all namespaces. */
  get namespaces(): readonly string[] | undefined {
    return this.#namespaces.names;
  }

  /**
   * Same as `acquire`, but for at most one namespace. By default, waits for the first list. If the wait fails or the signal is aborted,
   * disposes of the handle and rejects.
   */
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

  /**
   * Adds a declaration to the informer of a kind, and opens the informer if necessary. Does not wait for the first list. Rejects with the
   * same errors as `Cache.informer`, except that METADATA_ONLY does not apply if `metadataSuffices` is true.
   */
  async acquire<T extends KubeObject>(kind: KindRef<T>, options: AcquireOptions<T> = {}): Promise<InformerHandle<T>> {
    const resource = await this.#options.discovery.resolve(kind);
    if (this.#isClosed)
      throw new KubewrightError('INFORMER_CLOSED', `cannot open an informer of ${resource.kind}: the cache is closed`);
    const request = requestOf(kind, resource.namespaced ? options : { ...options, namespaces: undefined });
    const { byKeys = false, metadataSuffices = false } = options;
    const { shared, selection } = this.#open(resource, { request, metadataSuffices, byKeys });
    let keys: readonly ObjectKey[] = [];
    const scopes = (): readonly InformerScope[] => {
      const all = selectInformer(this.#namespaces.current, resource, request).scopes;
      return byKeys ? referencedScopes(all, keys, resource.namespaced) : all;
    };
    const declaration = shared.declarations.declare(byKeys ? undefined : selection.scopes);
    const follow = (): void => {
      if (selection.followsCache) shared.following.set(declaration, scopes);
    };
    if (!byKeys) follow();
    const release = (): Promise<void> => this.#release(shared, declaration);
    const selectKeys = (now: readonly ObjectKey[]): void => {
      keys = now;
      follow();
      void shared.declarations.reselect(declaration, scopes());
    };
    const handle = new InformerHandle(shared.informer as unknown as SharedInformer<T>, release, {
      declaration: declaration as unknown as Declaration<T>,
      ...(byKeys && { selectKeys }),
    });
    try {
      for (const index of options.indexes ?? []) handle.addIndex(index);
    } catch (error) {
      await handle[Symbol.asyncDispose]();
      throw error;
    }
    return handle;
  }

  /** Returns the open stores of a kind for reads: first the store of whole objects, then the store of metadata. */
  readsOf<T extends KubeObject>(kind: KindRef<T>): readonly KindReads<T>[] {
    const name = kindName(kind);
    return [name, metadataKey(name)].flatMap((key) => {
      const shared = this.#shared.get(key);
      if (shared === undefined) return [];
      shared.reads ??= this.#readsOf(shared);
      return [shared.reads as unknown as KindReads<T>];
    });
  }

  /** Returns the open informers of a kind: first of whole objects, then of metadata. */
  informersOf<T extends KubeObject>(kind: KindRef<T>): readonly SharedInformer<T>[] {
    return this.#sharedOf(kindOf(kind)).map(({ informer }) => informer as unknown as SharedInformer<T>);
  }

  /** Returns all open informers. Disposing of these handles has no effect. */
  override informers(): readonly InformerHandle<KubeObject>[] {
    return [...this.#shared.values()].map(viewOf);
  }

  /** Returns the watched scopes of all informers. Each scope has its own list and watch. */
  scopes(): readonly WatchedScope<KubeObject>[] {
    return [...this.#shared.values()].flatMap(({ informer }) => [...informer.scopes]);
  }

  override async seen(object: KubeObject, options: WaitOptions = {}): Promise<void> {
    const { namespace } = object.metadata;
    const setBacks = new Map(this.#sharedOf(object).map(({ informer }) => [informer, informer.setBacks(namespace)]));
    const isSeen = (): boolean => {
      if (this.#isClosed)
        throw new KubewrightError('INFORMER_CLOSED', `cannot wait for ${object.kind}: the cache was closed`);
      // If the server was restored, a list replaces the awaited state, and the watches may never deliver that state.
      return this.#sharedOf(object).every(
        ({ informer }) =>
          informer.hasSeen(object) ||
          informer.setBacks(namespace) > (setBacks.get(informer) ?? Number.POSITIVE_INFINITY),
      );
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
    const followed = this.#follow();
    await Promise.all(followed.map(({ declaration }) => abortable(declaration.synced(), options.signal)));
  }

  override async removeNamespace(namespace: string): Promise<void> {
    this.#namespaces.remove(namespace);
    await Promise.all(this.#follow().map(({ ended }) => ended));
  }

  /**
   * Sets the declarations that are expected later. The first watch of a kind then covers all expected declarations of the kind, and the
   * informer of whole objects also serves requests for metadata that these declarations cover. Ignores metadata-only kinds and declarations
   * with `byKeys` in `kinds`.
   */
  expect(kinds: readonly (AcquireOptions<KubeObject> & { readonly kind: KindRef })[]): void {
    const expected = new Map<string, SelectionRequest[]>();
    for (const { kind, ...options } of kinds) {
      if (kindOf(kind).metadataOnly || options.byKeys) continue;
      const requests = expected.get(kindName(kind)) ?? [];
      expected.set(kindName(kind), [...requests, requestOf(kind, options)]);
    }
    this.#expected = expected;
    for (const shared of this.#shared.values()) shared.declarations.expect(this.#expectedScopes(shared));
  }

  /** Returns whether the options of the cache restrict a kind to metadata. */
  isMetadataOnly(kind: KindRef): boolean {
    return this.#namespaces.current.kinds.get(kindName(kind))?.metadataOnly ?? false;
  }

  /** Returns whether the options of the cache allow a watch of the kind in all namespaces. */
  isClusterWide(kind: KindRef): boolean {
    const { names, current } = this.#namespaces;
    return names === undefined && current.kinds.get(kindName(kind))?.namespaces.own !== true;
  }

  /** Returns the kinds whose informers have an older state than the server, or whose handlers have pending changes. */
  async behind(): Promise<readonly string[]> {
    const behind = await Promise.all(
      this.informers().map(async (informer) => ({
        kind: informer.kind,
        isBehind: (await informer.isBehind()) || informer.waiting > 0,
      })),
    );
    return behind.filter(({ isBehind }) => isBehind).map(({ kind }) => kind);
  }

  /** Passes a written object to the informers of its kind, so that the next read returns this object. */
  wrote(object: KubeObject): void {
    for (const { informer } of this.#sharedOf(object)) informer.wrote(object);
  }

  /** Passes a deletion to the informers of the kind, so that the next read does not return the object. */
  deleted(kind: Pick<KubeObject, 'apiVersion' | 'kind'>, key: ObjectKey, deletion?: Deletion): void {
    for (const { informer } of this.#sharedOf(kind)) informer.deleted(key, deletion);
  }

  /** Closes all informers. Resolves when all informers are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#shared.values()];
    this.#shared.clear();
    this.#progressed();
    for (const { resource, declarations } of open) declarations.close(closedError(resource));
    await Promise.all(open.map((shared) => shared.informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Adds a listener that is called when an informer reaches a newer version, stops watching a scope, or is closed. Returns a function that
   * removes the listener.
   */
  onProgress(listener: () => void): () => void {
    this.#progressListeners.add(listener);
    return () => void this.#progressListeners.delete(listener);
  }

  /**
   * Returns the informer for a request, and opens it if necessary. If an informer of whole objects covers a request for metadata, returns
   * this informer. Throws METADATA_ONLY if the request needs whole objects, but the options of the cache restrict the kind to metadata.
   */
  #open(resource: ResourceInfo, { request, metadataSuffices, byKeys }: Desired): Selected {
    const { current } = this.#namespaces;
    const selection = selectInformer(current, resource, request);
    if (selection.metadataOnly && !request.metadataOnly && !metadataSuffices) throw metadataOnlyError(resource);
    const whole = selectInformer(current, resource, { ...request, metadataOnly: false });
    const isWhole = !selection.metadataOnly || (!whole.metadataOnly && this.#hasWhole(resource, whole));
    const shared = this.#sharedFor(resource, isWhole ? whole : selection);
    if (!byKeys) this.#warning.check(resource, isWhole ? whole : selection);
    return { shared, selection: isWhole ? whole : selection };
  }

  /** Whether current or expected declarations of whole objects cover this selection. */
  #hasWhole(resource: ResourceInfo, { scopes }: InformerSelection): boolean {
    const known = this.#shared.get(kindNameOf(resource));
    const whole = [...(known?.declarations.watched ?? []), ...this.#expectedOf(resource)];
    return scopes.every((scope) => whole.some((outer) => coversScope(outer, scope)));
  }

  #sharedFor(resource: ResourceInfo, selection: InformerSelection): Shared {
    const { metadataOnly } = selection;
    const name = kindNameOf(resource);
    const [key, otherKey] = metadataOnly ? [metadataKey(name), name] : [name, metadataKey(name)];
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const declarations: KindDeclarations = new KindDeclarations(() => informer, {
      scopeOptions: (scope) => this.#factory.scope(resource, selection, scope),
      maxNamedWatches: this.#namespaces.current.maxNamedWatches,
    });
    const informer = this.#factory.make(resource, selection, {
      deliveredVersion: () => this.#shared.get(otherKey)?.informer.newestVersion ?? '',
      onDelivery: (delivery) => this.#shared.get(otherKey)?.informer.delivered.note(delivery),
      onSync: () => declarations.onSync(),
      onStep: () => declarations.onStep(),
    });
    const shared: Shared = { key, resource, metadataOnly, informer, declarations, following: new Map(), liveReads: 0 };
    declarations.expect(this.#expectedScopes(shared));
    this.#shared.set(key, shared);
    const other = this.#shared.get(otherKey);
    if (other !== undefined) informer.delivered.note(deliveryOf(other.informer));
    informer.start();
    return shared;
  }

  #readsOf(shared: Shared): KindReads<KubeObject> {
    const { informer, declarations, resource } = shared;
    return new KindReads(informer, {
      declarations,
      scopesOf: ({ namespaces, labels, fields }) => {
        const request = { namespaces, labels: labelSelectorText(labels), fields: fieldSelectorText(fields) };
        return selectInformer(this.#namespaces.current, resource, request).scopes;
      },
      onLiveRead: (absent) => {
        shared.liveReads++;
        if (absent === undefined) return;
        const { name, namespace } = absent;
        // A referenced object is read from the API server only until its watch has listed the object, so no message is necessary.
        if (declarations.isReferenced(name, resource.namespaced ? namespace : undefined)) return;
        this.#notice.check(resource, absent, declarations.watched);
      },
    });
  }

  #expectedScopes({ resource, metadataOnly }: Pick<Shared, 'resource' | 'metadataOnly'>): readonly InformerScope[] {
    return metadataOnly ? [] : this.#expectedOf(resource);
  }
  #expectedOf(resource: ResourceInfo): readonly InformerScope[] {
    const requests = this.#expected.get(kindNameOf(resource)) ?? [];
    return requests.flatMap((request) => {
      const { scopes, metadataOnly } = selectInformer(this.#namespaces.current, resource, request);
      return metadataOnly ? [] : scopes;
    });
  }

  /** Updates the declarations that use the namespaces of the cache. */
  #follow(): readonly { readonly declaration: Declaration<KubeObject>; readonly ended: Promise<void> }[] {
    return [...this.#shared.values()].flatMap(({ declarations, following }) =>
      [...following].map(([declaration, scopes]) => ({
        declaration,
        ended: declarations.reselect(declaration, scopes()),
      })),
    );
  }

  #sharedOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): readonly Shared[] {
    return [...this.#shared.values()].filter(
      ({ resource }) => resource.apiVersion === apiVersion && resource.kind === kind,
    );
  }

  #progressed(): void {
    for (const listener of this.#progressListeners) listener();
  }

  async #release(shared: Shared, declaration: Declaration<KubeObject>): Promise<void> {
    shared.following.delete(declaration);
    declaration.close(closedError(shared.resource));
    const released = shared.declarations.release(declaration);
    if (!shared.declarations.isEmpty) return released;
    if (this.#shared.get(shared.key) === shared) this.#shared.delete(shared.key);
    this.#progressed();
    await shared.informer.close();
  }
}

/** The informer for a request, and the selection of the request. */
interface Selected {
  readonly shared: Shared;
  readonly selection: InformerSelection;
}

/** Returns the key under which the metadata informer of a kind is stored. */
function metadataKey(name: string): string {
  return `${name} metadata`;
}

/** Returns the current objects of an informer as additions, for the other store of the kind. */
function deliveryOf(informer: SharedInformer<KubeObject>): Delivery<KubeObject> {
  const changes = informer
    .list({ ownWrites: false })
    .map((object) => ({ type: 'added', object, initial: false }) as const);
  return { changes, ofScope: [], resourceVersion: informer.resourceVersion, isWhole: false };
}

function viewOf(shared: Shared): InformerHandle<KubeObject> {
  return new InformerHandle(shared.informer, async () => undefined, { liveReads: () => shared.liveReads });
}

function requestOf<T extends KubeObject>(kind: KindRef<T>, options: AcquireOptions<T>): SelectionRequest {
  return {
    namespaces: options.namespaces,
    labels: labelSelectorText(options.labels),
    fields: fieldSelectorText(options.fields),
    metadataOnly: kindOf(kind).metadataOnly,
  };
}

function closedError({ kind }: ResourceInfo): KubewrightError {
  return new KubewrightError('INFORMER_CLOSED', `the informer of ${kind} is closed: open a new informer`);
}

function metadataOnlyError({ kind }: ResourceInfo): KubewrightError {
  return new KubewrightError(
    'METADATA_ONLY',
    `cannot read ${kind} from the cache: cacheOf(${kind}) keeps only metadata; declare and read metadataOnly(${kind}), use client.live, or remove metadataOnly from cacheOf(${kind})`,
  );
}
