import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { InformerCache } from '../../cache/informer-cache.js';
import type { InformerScope } from '../../cache/selection/informer-selection.js';
import { kindName, readName } from '../../cache/selection/kind-name.js';
import type { KindReads } from '../../cache/informer/kind-reads.js';
import { kindNotServed, type ServedKinds } from '../../cache/served/served-kinds.js';
import { abortable } from '../../waiting/abortable.js';
import type { CachedClientOptions, DeclaredKind } from '../requests/client-backend.js';
import type { ClientContext } from '../requests/client-context.js';

export type Stores<T extends KubeObject> = readonly [KindReads<T>, ...KindReads<T>[]];

/** The stores from which a client reads a kind, and the declarations of the kind. */
export interface ReadKind<T extends KubeObject> {
  /** The stores that together contain all declared objects: a single store, or one store of whole objects and one of metadata. */
  readonly stores: Stores<T>;
  /** The scopes that the client declares for the kind. A list without a namespace uses the namespaces of these scopes. */
  readonly declared: readonly InformerScope[];
  /** The scopes in `declared` that the cache lists. Excludes scopes that select objects by keys. */
  readonly selected: readonly InformerScope[];
  /**
   * The version of `stores` at which all declared objects were listed. If the version has changed, the client waits for lists again.
   * Undefined if a store was closed.
   */
  readonly version: number | undefined;
  /** Whether the kind is optional. If so, each read first checks whether the API server serves the kind. */
  readonly isOptional: boolean;
}

/** Finds the stores for the reads of a client. At the first read of a kind, opens an informer if no other component has opened one. */
export class OpenInformers {
  readonly #context: ClientContext;
  readonly #declared: readonly DeclaredKind[] | undefined;
  readonly #isController: boolean;
  readonly #opening = new Map<string, Promise<readonly AsyncDisposable[]>>();
  readonly #opened = new Map<string, ReadKind<KubeObject>>();
  /** The opened kinds that are not optional and have a single store. */
  readonly #ready = new WeakMap<KindRef, ReadKind<KubeObject>>();

  /** If `declared` is set, reads of other kinds throw UNDECLARED_KIND. */
  constructor(context: ClientContext, { declared, declaredBy }: Pick<CachedClientOptions, 'declared' | 'declaredBy'>) {
    this.#context = context;
    this.#declared = declared;
    this.#isController = declaredBy !== 'cache';
  }

  /**
   * Whether the kind is declared and the options of the cache do not restrict the kind to metadata. If the client has no cache, returns
   * whether the kind is declared.
   */
  async holds(kind: KindRef): Promise<boolean> {
    if (this.#declarations(kind).length === 0) return false;
    const { cache } = await this.#context.backend();
    return cache === undefined || !cache.isMetadataOnly(kind);
  }

  /**
   * Returns the store of a kind without waiting. Returns undefined if `of` would have to wait, and for a kind that is optional or has two
   * stores. Does not check whether a signal is aborted.
   */
  now<T extends KubeObject>(kind: KindRef<T>): KindReads<T> | undefined {
    const ready = this.#ready.get(kind);
    if (ready === undefined) return undefined;
    const [store] = ready.stores;
    return store.version === ready.version ? (store as unknown as KindReads<T>) : undefined;
  }

  /**
   * Returns the stores of a kind after the declared objects are listed. Rejects with UNDECLARED_KIND if the kind is not declared, NO_CACHE
   * if the client has no cache, METADATA_ONLY if the cache contains only the metadata of the kind, INFORMER_CLOSED if the cache is closed,
   * KIND_NOT_SERVED if the kind is optional and not served, or the reason of the signal.
   */
  async of<T extends KubeObject>(kind: KindRef<T>, signal?: AbortSignal): Promise<ReadKind<T>> {
    signal?.throwIfAborted();
    const name = readName(kind);
    const before = this.#opened.get(name);
    if (before?.isOptional !== false) await this.#assertServed(kind);
    const known = this.#opened.get(name);
    const isCurrent = known?.version !== undefined && known.version === versionOf(known.stores);
    const opened = isCurrent ? known : await this.#open(kind, signal === undefined ? [] : [signal]);
    this.#opened.set(name, opened);
    if (!opened.isOptional && opened.stores.length === 1 && opened.version !== undefined) this.#ready.set(kind, opened);
    for (const ending of this.#context.signals) ending.throwIfAborted();
    return opened as unknown as ReadKind<T>;
  }

  /** Adds an object from a response of the API server to the caches, so that the next reads return it. */
  wrote(kind: KindRef, object: KubeObject): void {
    const { apiVersion, kind: name } = kindOf(kind);
    // The response of a subresource may have another kind, and may have no resourceVersion.
    if (object.apiVersion !== apiVersion || object.kind !== name || !object.metadata?.resourceVersion) return;
    for (const informer of this.#context.connected?.cache?.informersOf(kind) ?? []) informer.wrote(object);
  }

  /**
   * Removes a deleted object from the caches, so that the next reads do not return it. `uid` is the uid from the response of the server, if
   * the response has one.
   */
  async deleted(kind: KindRef, key: ObjectKey, uid: string | undefined): Promise<void> {
    const { cache } = await this.#context.backend();
    for (const informer of cache?.informersOf(kind) ?? []) informer.deleted(key, { uid });
  }

  /**
   * Returns the declarations of a kind. If the client has no declarations, all kinds may be read: returns one declaration that selects all
   * objects.
   */
  #declarations(kind: KindRef): readonly DeclaredKind[] {
    if (this.#declared === undefined) return [{ kind }];
    const name = kindName(kind);
    const { metadataOnly } = kindOf(kind);
    return this.#declared.filter(
      (declared) => kindName(declared.kind) === name && (metadataOnly || !kindOf(declared.kind).metadataOnly),
    );
  }

  async #open(kind: KindRef, signals: readonly AbortSignal[]): Promise<ReadKind<KubeObject>> {
    const declarations = this.#declarations(kind);
    if (declarations.length === 0) {
      const isNamed = this.#isController && (this.#declared ?? []).length > 0;
      throw undeclared(kindName(kind), isNamed ? this.#context.controllerName : undefined);
    }
    const { cache, served } = await this.#context.backend();
    if (cache === undefined) {
      throw new KubewrightError(
        'NO_CACHE',
        `cannot read ${kindName(kind)} from the cache: this client has no cache; use client.live`,
      );
    }
    const endings = [...this.#context.signals, ...signals];
    let stores = watchedStores(cache, kind, declarations);
    if (stores === undefined) {
      await abortable(this.#acquired(cache, kind, declarations), ...endings);
      stores = watchedStores(cache, kind, declarations);
    }
    if (stores === undefined) {
      throw new KubewrightError(
        'INFORMER_CLOSED',
        `cannot read ${kindName(kind)} from the cache: the cache was closed in the meantime`,
      );
    }
    const declared = declaredScopes(stores[0], declarations);
    const selected = selectedScopes(stores[0], declarations);
    for (const store of stores) {
      await store.listed(stores.length === 1 ? selected : selected.filter((scope) => store.isWatched(scope)), endings);
    }
    const isOptional = served !== undefined && this.#isOptional(kind, served);
    return { stores, declared, selected, version: versionOf(stores), isOptional };
  }

  /**
   * Throws KIND_NOT_SERVED for an optional kind that the API server does not serve. Then also closes the informers that this client opened
   * for the kind.
   */
  async #assertServed(kind: KindRef): Promise<void> {
    if (this.#declarations(kind).length === 0) return;
    const { served } = await this.#context.backend();
    if (served === undefined || !this.#isOptional(kind, served)) return;
    const name = readName(kind);
    // The watches of open informers detect when the API server stops serving the kind.
    if ((this.#opened.has(name) && !served.isDormant(kind)) || (await served.isServed(kind))) return;
    const opening = this.#opening.get(name);
    this.#opening.delete(name);
    this.#opened.delete(name);
    for (const informer of (await opening) ?? []) await informer[Symbol.asyncDispose]();
    throw kindNotServed(kind);
  }
  #isOptional(kind: KindRef, served: ServedKinds): boolean {
    return served.follows(kind) || this.#declarations(kind).some(({ optional }) => optional);
  }

  /** Opens one informer per declaration. The informers stay open, and later calls return the same informers. */
  #acquired(
    cache: InformerCache,
    kind: KindRef,
    declarations: readonly DeclaredKind[],
  ): Promise<readonly AsyncDisposable[]> {
    const name = readName(kind);
    const known = this.#opening.get(name);
    if (known !== undefined) return known;
    const metadataSuffices = kindOf(kind).metadataOnly ?? false;
    const opening = acquireAll(
      declarations.map(({ kind: declared, ...selection }) =>
        cache.acquire<KubeObject>(declared, { ...selection, metadataSuffices }),
      ),
    );
    opening.catch(() => {
      if (this.#opening.get(name) === opening) this.#opening.delete(name);
    });
    this.#opening.set(name, opening);
    return opening;
  }
}

/** Waits for all informers. If an informer cannot be opened, releases the other informers and rejects. */
async function acquireAll(acquired: readonly Promise<AsyncDisposable>[]): Promise<readonly AsyncDisposable[]> {
  const settled = await Promise.allSettled(acquired);
  const failed = settled.find(({ status }) => status === 'rejected');
  const opened = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (failed === undefined) return opened;
  for (const informer of opened) await informer[Symbol.asyncDispose]();
  throw (failed as PromiseRejectedResult).reason;
}

/**
 * Returns the stores that contain, or will contain after their lists, all declared objects. Returns undefined if the cache does not watch
 * all of them.
 */
function watchedStores(
  cache: InformerCache,
  kind: KindRef,
  declarations: readonly DeclaredKind[],
): Stores<KubeObject> | undefined {
  const mayBeMetadata = kindOf(kind).metadataOnly === true;
  const [first, ...others] = cache
    .readsOf<KubeObject>(kind)
    .filter(({ metadataOnly }) => mayBeMetadata || !metadataOnly);
  if (first === undefined) return undefined;
  const all = [first, ...others] as const;
  const selected = selectedScopes(first, declarations);
  const complete = all.find((store) => selected.every((scope) => store.isWatched(scope)));
  // Objects that are selected by keys can be in either store.
  if (complete !== undefined && !declarations.some(({ byKeys }) => byKeys)) return [complete];
  return selected.every((scope) => all.some((store) => store.isWatched(scope))) ? all : undefined;
}

/** Returns a number that changes when the version of any store changes. Returns undefined if a store is closed. */
function versionOf(stores: Stores<KubeObject>): number | undefined {
  let version = 0;
  for (const store of stores) {
    if (store.version === undefined) return undefined;
    version += store.version;
  }
  return version;
}

function declaredScopes(reads: KindReads<KubeObject>, declarations: readonly DeclaredKind[]): readonly InformerScope[] {
  return declarations.flatMap((declaration) => reads.scopesOf(declaration));
}

/**
 * Returns the declared scopes that the cache must list before a read. Excludes scopes that select objects by keys, because the client reads
 * such objects from the API server until they are cached.
 */
function selectedScopes(reads: KindReads<KubeObject>, declarations: readonly DeclaredKind[]): readonly InformerScope[] {
  return declaredScopes(
    reads,
    declarations.filter(({ byKeys }) => byKeys !== true),
  );
}

/**
 * Returns the error for an undeclared kind. `controller` is undefined if the client belongs to a manager or a program, or if the client has
 * no declarations.
 */
function undeclared(name: string, controller: string | undefined): KubewrightError {
  const remedy =
    controller === undefined
      ? "this client does not open informers: list the kind under 'cache.kinds', set 'implicitInformers', or use client.live"
      : `controller '${controller}' does not declare this kind; list it under 'owns' if its objects are children, under ` +
        "'watches' if its changes trigger reconciles, or under 'reads'; or use client.live";
  return new KubewrightError('UNDECLARED_KIND', `cannot read ${name} from the cache: ${remedy}`);
}
