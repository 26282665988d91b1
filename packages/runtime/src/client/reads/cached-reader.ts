import { isControlledBy, type KindRef, type KubeObject, type ObjectKey, type ObjectOf } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { CatchUpOptions, ReadObjects } from '../../cache/informer/delivered-states.js';
import type { InformerScope } from '../../cache/selection/informer-selection.js';
import type { KindReads } from '../../cache/informer/kind-reads.js';
import { labelSelectorText, readLabels } from '../../cache/store/label-match.js';
import type { ListOptions } from '../../cache/store/list-options.js';
import type { ReadOptions } from '../../cache/store/read-options.js';
import { incompleteList } from './incomplete-list.js';
import type { OpenInformers, ReadKind } from './open-informers.js';
import { ownerIndex } from '../owners/owner-index.js';
import { OWNER_LABEL } from '../owners/owner-label.js';
import type { Reader } from './reader.js';
import { describe } from '../requests/target.js';

/** Reads from the API server, without interceptors. `CachedReader` uses this reader for objects that are not in the cache. */
export interface ServerReader {
  read<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T>;
  readAll<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
  readIfExists<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined>;
}

/**
 * Reads from the cache. The first read of a kind waits for the initial list. If the selectors of the cache exclude an object, `get` and
 * `find` read the object from the API server. If the cache does not contain all objects of a list, `list` throws an error.
 *
 * A kind has two stores if whole objects and metadata are cached separately. A read from one store waits until this store has all states
 * that the other store has delivered. If the wait times out, the reader reads from the API server.
 */
export class CachedReader implements Reader {
  readonly #informers: OpenInformers;
  readonly #live: ServerReader;
  constructor(informers: OpenInformers, live: ServerReader) {
    this.#informers = informers;
    this.#live = live;
  }

  /**
   * Returns the object if the cache contains the object and the read does not have to wait. If the result is undefined, the object can
   * still exist.
   */
  now<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): T | undefined {
    const reads = this.#informers.now(kind);
    return reads?.isCaughtUp === true ? reads.get(key) : undefined;
  }

  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  async get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    const reads = storeOf(await this.#informers.of(kind, options.signal), key);
    if (await isOutdated(reads, key, options)) return this.#live.read(kind, key);
    const object = reads.get(key, options);
    if (object !== undefined) return object;
    if (reads.provesAbsence(key)) throw notFound(kind, key);
    reads.readLive(key);
    return this.#live.read(kind, key);
  }

  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  async find<T extends KubeObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<T | undefined> {
    const reads = storeOf(await this.#informers.of(kind, options.signal), key);
    if (await isOutdated(reads, key, options)) return this.#live.readIfExists(kind, key);
    const object = reads.get(key, options);
    if (object !== undefined || reads.provesAbsence(key)) return object;
    reads.readLive(key);
    return this.#live.readIfExists(kind, key);
  }

  /**
   * Returns the cached object with a key. Returns undefined if the object is not cached, or if the cached state is outdated. In both cases,
   * the object can still exist.
   */
  async peek<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    const reads = storeOf(await this.#informers.of(kind), key);
    return (await isOutdated(reads, key)) ? undefined : reads.get(key);
  }

  async list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    if (options.fields !== undefined) {
      throw new KubewrightError(
        'UNSUPPORTED_READ',
        `cannot list ${kindOf(kind).kind} by fields: the cache does not support field selectors; declare an index, or use client.live`,
      );
    }
    const read = await this.#informers.of(kind, options.signal);
    const namespaces = options.namespace === undefined ? namespacesOf(read.declared) : [options.namespace];
    const labels = labelSelectorText(options.labels);
    const scopes = namespaces.map((namespace) => selecting(namespace, labels));
    const reads = read.stores.find((store) => scopes.every((scope) => store.hasListed(scope)));
    if (reads === undefined) {
      const [store] = read.stores;
      throw incompleteList(kind, read, scopes.find((scope) => !store.hasListed(scope)) ?? selecting(undefined, labels));
    }
    if (await isOutdated(reads, { namespace: options.namespace }, options)) {
      return this.#listedLive(kind, reads, { ...options, namespaces });
    }
    return listed(reads, namespaces, options);
  }

  /**
   * Lists the objects from the API server. Then filters the objects by the requested indexes, because the API server does not know the
   * indexes of the cache.
   */
  async #listedLive<T extends KubeObject>(
    kind: KindRef<T>,
    reads: KindReads<T>,
    options: ListOptions<T> & { readonly namespaces: readonly (string | undefined)[] },
  ): Promise<readonly T[]> {
    const { namespaces, labels, index = [], limit } = options;
    const lists = namespaces.map((namespace) => this.#live.readAll(kind, { namespace, ...(labels && { labels }) }));
    const objects = (await Promise.all(lists)).flat();
    const found = objects.filter((object) => [index].flat().every((match) => reads.isUnder(match, object)));
    return Object.freeze(found.slice(0, limit));
  }

  /**
   * Lists the objects whose controller reference has the uid of `owner`. If the cache selects objects by the label of a controller, the
   * list contains only objects with this label.
   */
  async listOwned<T extends KubeObject>(
    owner: KubeObject,
    kind: KindRef<T>,
    controller: string,
  ): Promise<readonly T[]> {
    const read = await this.#informers.of(kind);
    const { namespace } = owner.metadata;
    const namespaces = namespace === undefined ? namespacesOf(read.declared) : [namespace];
    const scopes = namespaces.map((each) => selecting(each, `${OWNER_LABEL}=${controller}`));
    const hasChildren = (store: KindReads<T>, children: InformerScope): boolean =>
      store.hasListed(children) || store.watchedIn(children.namespace).some(selectsChildren);
    const reads = read.stores.find((store) => scopes.every((children) => hasChildren(store, children)));
    if (reads === undefined) {
      const [store] = read.stores;
      throw incompleteList(
        kind,
        read,
        scopes.find((children) => !hasChildren(store, children)) ?? selecting(undefined, undefined),
      );
    }
    if (await isOutdated(reads, { namespace })) {
      const all = await this.#live.readAll(kind, { namespace });
      return Object.freeze(all.filter((object) => isControlledBy(object, owner)));
    }
    const byOwner = ownerIndex(kind);
    reads.addIndex(byOwner);
    return reads.byIndex(byOwner(owner.metadata.uid));
  }
}

/**
 * Whether this store is behind the other store of the same kind. Waits until this store has all states that the other store has delivered.
 * Returns true if the wait times out; the caller then reads from the API server.
 */
async function isOutdated<T extends KubeObject>(
  reads: KindReads<T>,
  objects: ReadObjects,
  options?: CatchUpOptions,
): Promise<boolean> {
  const caughtUp = reads.caughtUp(objects, options);
  if (caughtUp === undefined || (await caughtUp)) return false;
  reads.readLive();
  return true;
}

/**
 * Returns the store that contains the object with this key, or that shows that the object does not exist. If no store does, returns the
 * first store.
 */
function storeOf<T extends KubeObject>({ stores }: ReadKind<T>, key: ObjectKey): KindReads<T> {
  const [first, ...others] = stores;
  if (others.length === 0) return first;
  return stores.find((store) => store.get(key) !== undefined || store.provesAbsence(key)) ?? first;
}

/** Whether a scope selects objects only by the owner label. */
function selectsChildren({ labels, fields }: InformerScope): boolean {
  if (fields !== undefined || labels === undefined) return false;
  const { requirements } = readLabels(labels);
  return requirements.length === 1 && requirements[0]?.key === OWNER_LABEL;
}

/** Returns the declared namespaces, for a list that names no namespace. The entry undefined means all namespaces. */
function namespacesOf(declared: readonly InformerScope[]): readonly (string | undefined)[] {
  const names = new Set(declared.map(({ namespace }) => namespace));
  return names.has(undefined) ? [undefined] : [...names];
}

function selecting(namespace: string | undefined, labels: string | undefined): InformerScope {
  return { namespace, except: [], labels, fields: undefined, transform: undefined };
}

/** Lists the objects in the given namespaces. Omits objects in other namespaces that the store may contain. */
function listed<T extends KubeObject>(
  reads: KindReads<T>,
  namespaces: readonly (string | undefined)[],
  options: ListOptions<T>,
): readonly T[] {
  const [only] = namespaces;
  if (namespaces.length === 1) return reads.list(only === undefined ? options : { ...options, namespace: only });
  const { limit, ...others } = options;
  const objects = reads.list(options.limit === undefined ? options : others);
  const within = objects.filter(
    ({ metadata }) => metadata.namespace === undefined || namespaces.includes(metadata.namespace),
  );
  return limit === undefined ? within : within.slice(0, limit);
}

function notFound(kind: KindRef, key: ObjectKey): ApiError {
  const { group, kind: name, plural } = kindOf(kind);
  const resource = plural ?? name;
  const body = {
    kind: 'Status' as const,
    apiVersion: 'v1' as const,
    metadata: {},
    status: 'Failure' as const,
    message: `${group === '' ? resource : `${resource}.${group}`} "${key.name}" not found`,
    reason: 'NotFound',
    details: { name: key.name, group, kind: resource },
    code: 404,
  };
  return new ApiError(body, { attempted: `get ${describe(name, key)} from the cache` });
}
