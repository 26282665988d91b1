import { deepFreeze, type KindRef, type KubeObject, type ObjectKey, type ObjectOf } from '@kubewright/api';
import { KubewrightError, isExpired, isNotFound, valueText } from '@kubewright/api/errors';
import { kindOf, toMetadataOnly } from '@kubewright/api/metadata';
import { abortable } from '../../waiting/abortable.js';
import type { ListOptions } from '../../cache/store/list-options.js';
import type { ReadOptions } from '../../cache/store/read-options.js';
import { listAnswerOf } from '../../transport/answer/list-answer.js';
import { objectAnswerOf } from '../../transport/answer/object-answer.js';
import { PARTIAL_LIST, PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import type { ClientCall, ClientVerb } from '../options/client-call.js';
import type { ClientContext } from '../requests/client-context.js';
import { selectionQuery } from './list-query.js';
import type { LiveReader, Page, PageOptions, WatchEvent, WatchOptions } from './live-reader.js';
import { liveWatch } from './live-watch.js';
import { describe, type Target } from '../requests/target.js';

/** The default number of objects per page. */
const PAGE_SIZE = 500;

/** The parameters of the request for one page of a list. */
interface PageRequest {
  readonly namespace: string | undefined;
  readonly options: PageOptions<never>;
  /** The maximum number of objects in the page. If the limit is 0, the server returns all objects in one page. */
  readonly limit: number;
  readonly from: string | undefined;
  readonly version?: VersionQuery;
}
/** The query parameters that select the resourceVersion of a list. */
interface VersionQuery {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Reads from the API server. `get` and `find` send one request. A list sends one request per page. */
export class ApiReader implements LiveReader {
  readonly #context: ClientContext;
  constructor(context: ClientContext) {
    this.#context = context;
  }

  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T>;
  get<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K>>;
  get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options: ReadOptions = {}): Promise<T> {
    return this.#intercepted({ verb: 'get', kind, ...key, options }, () =>
      abortable(this.read(kind, key), options.signal),
    );
  }

  find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined>;
  find<K extends KindRef>(kind: K, key: ObjectKey, options?: ReadOptions): Promise<ObjectOf<K> | undefined>;
  async find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, options?: ReadOptions): Promise<T | undefined> {
    try {
      return await this.get(kind, key, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    const { namespace } = options;
    return this.#intercepted({ verb: 'list', kind, namespace, options }, () =>
      abortable(this.readAll(kind, options), options.signal),
    );
  }

  async *pages<T extends KubeObject>(kind: KindRef<T>, options: PageOptions<NoInfer<T>> = {}): AsyncGenerator<Page<T>> {
    const limit = pageSize(kind, options.limit);
    let version = versionQuery(kind, options);
    const { namespace } = options;
    let from: string | undefined = options.continue;
    do {
      const read = async (): Promise<Page<T>> =>
        this.#page(kind, { namespace: await this.#oneNamespace(kind, namespace), options, limit, from, version });
      const page: Page<T> = await this.#intercepted({ verb: 'list', kind, namespace, options }, () =>
        abortable(read(), options.signal),
      );
      yield page;
      from = page.continue;
      version = {};
    } while (from !== undefined);
  }

  async *watch<T extends KubeObject>(
    kind: KindRef<T>,
    options: WatchOptions<NoInfer<T>> = {},
  ): AsyncGenerator<WatchEvent<T>> {
    const { namespace } = options;
    const events = await this.#intercepted({ verb: 'watch', kind, namespace, options }, async () =>
      liveWatch(this.#context, kind, { ...options, namespace: await this.#oneNamespace(kind, namespace) }),
    );
    yield* events;
  }

  /** Performs `get` without the interceptors and without the `signal` option. */
  async read<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T> {
    const found = this.#context.targetOf(kind);
    const target = found instanceof Promise ? await found : found;
    const at = { name: key.name, namespace: this.#context.namespaceFor(target, key.namespace) };
    const isBare = kindOf(kind).metadataOnly === true;
    const answer = await this.#context.sendForObject<T>({
      method: 'GET',
      target,
      at,
      verbs: ['get'],
      attempted: `get ${describe(target.info.kind, at)}`,
      ...(isBare && { accept: PARTIAL_OBJECT }),
    });
    return read(target, answer, isBare);
  }

  /** Performs `find` without the interceptors and without the `signal` option. */
  async readIfExists<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.read(kind, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Performs `list` without the interceptors and without the `signal` option. */
  async readAll<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>>): Promise<readonly T[]> {
    const [index] = [options.index ?? []].flat();
    if (index !== undefined) {
      throw new KubewrightError(
        'INDEX_NEEDS_CACHE',
        `cannot list by index '${index.name}': only the cache has indexes; read without 'live', or select by labels or fields`,
      );
    }
    const { namespaces } = await this.#context.backend();
    const target = await this.#context.targetOf(kind);
    const namespace = this.#context.namespaceFor(target, options.namespace);
    const within =
      target.info.namespaced && namespace === undefined && namespaces !== undefined ? namespaces : [namespace];
    const most = options.limit === undefined ? undefined : pageSize(kind, options.limit);
    const all: T[] = [];
    for (const one of within) {
      for (const item of await this.#listIn(kind, one, options)) all.push(item);
      if (most !== undefined && all.length >= most) break;
    }
    return Object.freeze(most === undefined ? all : all.slice(0, most));
  }

  /** Lists the objects page by page. If the continue token expires, lists all objects again in one request. */
  async #listIn<T extends KubeObject>(
    kind: KindRef<T>,
    namespace: string | undefined,
    options: ListOptions<never>,
  ): Promise<readonly T[]> {
    const items: T[] = [];
    let from: string | undefined;
    const most = options.limit ?? Number.POSITIVE_INFINITY;
    let limit = Math.min(PAGE_SIZE, most);
    do {
      try {
        const page: Page<T> = await this.#page(kind, { namespace, options, limit, from });
        for (const item of page.items) items.push(item);
        from = page.continue;
      } catch (error) {
        if (!isExpired(error) || from === undefined) throw error;
        items.length = 0;
        limit = 0;
        from = undefined;
        for (const item of (await this.#page(kind, { namespace, options, limit, from })).items) items.push(item);
      }
    } while (from !== undefined && items.length < most);
    return items;
  }

  async #page<T extends KubeObject>(
    kind: KindRef<T>,
    { namespace, options, limit, from, version }: PageRequest,
  ): Promise<Page<T>> {
    const target = await this.#context.targetOf(kind);
    const isBare = kindOf(kind).metadataOnly === true;
    const attempted = `list ${target.info.plural}`;
    const answer = await this.#context.send<unknown>({
      method: 'GET',
      target,
      at: { namespace },
      query: { ...selectionQuery(options), limit: limit || undefined, continue: from, ...version },
      verbs: ['list'],
      attempted,
      ...(isBare && { accept: PARTIAL_LIST }),
    });
    const listed = listAnswerOf(answer, { resource: target.info, metadataOnly: isBare, attempted });
    const expected = { resource: target.info, attempted, namespace, metadataOnly: isBare, what: 'an object' };
    return {
      items: Object.freeze(listed.items.map((item) => read(target, objectAnswerOf(item, expected) as T, isBare))),
      continue: listed.continueToken || undefined,
      remaining: listed.remaining,
      resourceVersion: listed.resourceVersion,
    };
  }

  /**
   * Returns the namespace for a request that covers one namespace or all namespaces: `pages` and `watch`. Undefined means all namespaces.
   * Throws SINGLE_NAMESPACE_REQUIRED if the call names no namespace and the client is limited to several namespaces.
   */
  async #oneNamespace(kind: KindRef, given: string | undefined): Promise<string | undefined> {
    const target = await this.#context.targetOf(kind);
    const namespace = this.#context.namespaceFor(target, given);
    const { namespaces } = await this.#context.backend();
    if (!target.info.namespaced || namespace !== undefined || namespaces === undefined) return namespace;
    if (namespaces.length === 1) return namespaces[0];
    throw new KubewrightError(
      'SINGLE_NAMESPACE_REQUIRED',
      `cannot read pages or watch ${target.info.plural} in ${namespaces.length} namespaces: a request covers one namespace or all namespaces; specify one namespace`,
    );
  }

  #intercepted<R>(
    call: Pick<ClientCall, 'namespace' | 'name' | 'options'> & { readonly verb: ClientVerb; readonly kind: KindRef },
    carryOut: () => Promise<R>,
  ): Promise<R> {
    const { apiVersion, kind } = kindOf(call.kind);
    // Faster than a spread: V8 adds each field slowly to an object that begins with a spread.
    return this.#context.intercepted(Object.assign({}, call, { apiVersion, kind }), carryOut);
  }
}

/**
 * Returns the object, frozen, with the apiVersion and kind of its resource. The server omits both from the items of a list, and returns
 * metadata-only objects as PartialObjectMetadata.
 */
function read<T extends KubeObject>({ info }: Target, object: T, isBare: boolean): T {
  const { apiVersion, kind } = info;
  const named = object.kind === kind && object.apiVersion === apiVersion ? object : { ...object, apiVersion, kind };
  return deepFreeze(isBare ? (toMetadataOnly(named) as unknown as T) : named);
}

function pageSize(kind: KindRef, limit = PAGE_SIZE): number {
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new KubewrightError(
    'INVALID_OPTION',
    `cannot list ${kindOf(kind).kind} in pages of ${valueText(limit)}: 'limit' must be a positive integer`,
  );
}

/** Returns the version parameters of a list. Throws INVALID_OPTION for options that the server rejects or misinterprets. */
function versionQuery(
  kind: KindRef,
  { resourceVersion, versionMatch, continue: from }: PageOptions<never>,
): VersionQuery {
  if (resourceVersion === undefined && versionMatch === undefined) return {};
  const refused = (why: string): KubewrightError =>
    new KubewrightError('INVALID_OPTION', `cannot list ${kindOf(kind).kind} in pages: ${why}`);
  if (from !== undefined)
    throw refused("'continue' already determines the version; omit 'resourceVersion' and 'versionMatch'");
  if (!resourceVersion) throw refused("'versionMatch' requires 'resourceVersion'; omit both for the most recent state");
  if (versionMatch !== 'exact') return { resourceVersion, resourceVersionMatch: 'NotOlderThan' };
  if (resourceVersion === '0')
    throw refused("'versionMatch' cannot be 'exact' for resourceVersion '0'; omit 'versionMatch' for any version");
  return { resourceVersion, resourceVersionMatch: 'Exact' };
}
