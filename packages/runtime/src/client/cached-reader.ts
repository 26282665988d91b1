import type { KindRef, KubeObject, ObjectKey, ObjectOf } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { describeScopes } from '../cache/describe-scopes.js';
import type { InformerScope } from '../cache/informer-selection.js';
import { labelSelectorText } from '../cache/label-match.js';
import type { ListOptions } from '../cache/list-options.js';
import type { ReadOptions } from '../cache/read-options.js';
import type { OpenInformers, ReadKind } from './open-informers.js';
import { ownerIndex } from './owner-index.js';
import { OWNER_LABEL } from './owner-label.js';
import type { Reader } from './reader.js';
import { describe } from './target.js';

/** Reads one object from the API server. */
export interface SingleReader {
  read<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T>;
  readIfThere<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined>;
}

/**
 * Reads from the cache. It waits for nothing but the first list of a kind, unless the cache cannot answer: whether an object exists
 * that the cache does not select, only the API server knows, and it is asked. A list that the cache cannot answer completely is
 * refused.
 */
export class CachedReader implements Reader {
  readonly #informers: OpenInformers;
  readonly #live: SingleReader;
  constructor(informers: OpenInformers, live: SingleReader) {
    this.#informers = informers;
    this.#live = live;
  }

  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  async get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    const { reads } = await this.#informers.of(kind, options.signal);
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
    const { reads } = await this.#informers.of(kind, options.signal);
    const object = reads.get(key, options);
    if (object !== undefined || reads.provesAbsence(key)) return object;
    reads.readLive(key);
    return this.#live.readIfThere(kind, key);
  }

  /** What the cache has under a key; undefined does not mean that there is no such object. */
  async peek<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    const { reads } = await this.#informers.of(kind);
    return reads.get(key);
  }

  async list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    if (options.fields !== undefined) {
      throw new KubewrightError(
        'UNSUPPORTED_READ',
        `list ${kindOf(kind).kind} by fields: the cache has no field selectors; declare an index, or use client.live`,
      );
    }
    const read = await this.#informers.of(kind, options.signal);
    const namespaces = options.namespace === undefined ? namespacesOf(read.declared) : [options.namespace];
    const labels = labelSelectorText(options.labels);
    const missing = namespaces
      .map((namespace) => selecting(namespace, labels))
      .filter((scope) => !read.reads.hasListed(scope));
    if (missing[0] !== undefined) throw incomplete(kind, read, missing[0]);
    return listed(read, namespaces, options);
  }

  /**
   * The objects that the owner controls, by uid: all of them, or those that bear the label of a controller where no others are
   * cached.
   */
  async listOwned<T extends KubeObject>(
    owner: KubeObject,
    kind: KindRef<T>,
    controller: string,
  ): Promise<readonly T[]> {
    const read = await this.#informers.of(kind);
    const { reads, declared } = read;
    const { namespace } = owner.metadata;
    const namespaces = namespace === undefined ? namespacesOf(declared) : [namespace];
    for (const each of namespaces) {
      const children = selecting(each, `${OWNER_LABEL}=${controller}`);
      if (!reads.hasListed(children) && !reads.watchedIn(each).some(selectsChildren)) {
        throw incomplete(kind, read, children);
      }
    }
    const byOwner = ownerIndex(kind);
    reads.addIndex(byOwner);
    return reads.byIndex(byOwner(owner.metadata.uid));
  }
}

/** Whether a scope selects by nothing but the controller that stamped the objects. */
function selectsChildren({ labels, fields }: InformerScope): boolean {
  return fields === undefined && labels?.startsWith(`${OWNER_LABEL}=`) === true && !labels.includes(',');
}

/** The namespaces that a list without a namespace is of: undefined stands for all. */
function namespacesOf(declared: readonly InformerScope[]): readonly (string | undefined)[] {
  const names = new Set(declared.map(({ namespace }) => namespace));
  return names.has(undefined) ? [undefined] : [...names];
}

function selecting(namespace: string | undefined, labels: string | undefined): InformerScope {
  return { namespace, except: [], labels, fields: undefined, transform: undefined };
}

/** A list of some namespaces out of a store that may have more. */
function listed<T extends KubeObject>(
  { reads }: ReadKind<T>,
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

function incomplete<T extends KubeObject>(
  kind: KindRef<T>,
  { reads }: ReadKind<T>,
  missing: InformerScope,
): KubewrightError {
  const { kind: name } = kindOf(kind);
  const { namespace } = missing;
  const watched = reads.watchedIn(namespace);
  if (namespace !== undefined && watched.length === 0) {
    return new KubewrightError(
      'NAMESPACE_NOT_CACHED',
      `list ${name} of namespace '${namespace}' from the cache: it is not among those that are watched; add it to 'cache.namespaces' or to the 'namespaces' of the controller, call cache.addNamespace(), or read it with client.live`,
    );
  }
  return new KubewrightError(
    'SELECTION_INCOMPLETE',
    `list ${name} from the cache: it has only ${describeScopes(watched)}, so the list would lack others; list ${name} under 'reads' of the controller to cache all of them, pass labels that select no others, or list with client.live`,
  );
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
