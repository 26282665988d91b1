import type { KindRef, KubeObject, ObjectKey, ObjectOf } from '@kubewright/api';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { ListOptions } from '../cache/list-options.js';
import type { ReadOptions } from '../cache/read-options.js';
import type { SharedInformer } from '../cache/shared-informer.js';
import type { OpenInformers } from './open-informers.js';
import { ownerIndex } from './owner-index.js';
import type { Reader } from './reader.js';
import { describe } from './target.js';

/** Reads from informers, and waits for nothing but the first list of a kind. */
export class CachedReader implements Reader {
  readonly #informers: OpenInformers;
  constructor(informers: OpenInformers) {
    this.#informers = informers;
  }

  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  async get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    const informer = await this.#covering(kind, key.namespace, options.signal);
    const object = informer.get(key, options);
    if (object === undefined) throw notFound(kind, key);
    return object;
  }

  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  async find<T extends KubeObject>(
    kind: KindRef<T>,
    key: ObjectKey,
    options: ReadOptions = {},
  ): Promise<T | undefined> {
    const informer = await this.#covering(kind, key.namespace, options.signal);
    return informer.get(key, options);
  }

  async list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    if (options.fields !== undefined) {
      throw new KubewrightError(
        'UNSUPPORTED_READ',
        `list ${kindOf(kind).kind} by fields: the cache has no field selectors; declare an index, or use client.live`,
      );
    }
    const informer = await this.#covering(kind, options.namespace, options.signal);
    return informer.list(options);
  }

  /** The objects that the owner controls, by uid. */
  async listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]> {
    const informer = await this.#informers.of(kind);
    const byOwner = ownerIndex(kind);
    informer.addIndex(byOwner);
    return informer.byIndex(byOwner(owner.metadata.uid));
  }

  async #covering<T extends KubeObject>(
    kind: KindRef<T>,
    namespace: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<SharedInformer<T>> {
    const informer = await this.#informers.of(kind, signal);
    if (namespace === undefined || informer.covers(namespace)) return informer;
    throw new KubewrightError(
      'NAMESPACE_NOT_CACHED',
      `read ${kindOf(kind).kind} of namespace '${namespace}' from the cache: it is not among those that are watched; add it to 'cache.namespaces' or to the 'namespaces' of the controller, call cache.addNamespace(), or read it with client.live`,
    );
  }
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
