import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { isExpired, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { formatLabels } from '@kubewright/api/selectors';
import type { ListOptions } from '../cache/list-options.js';
import { resourcePath } from '../transport/resource-path.js';
import type { ClientContext } from './client-context.js';
import { deepFreeze } from '@kubewright/api';
import type { Reader } from './reader.js';
import { describe, objectPath, type Target } from './target.js';

/** How many objects one answer holds. */
const PAGE_SIZE = 500;

interface Page {
  readonly metadata?: { readonly continue?: string };
  readonly items: readonly KubeObject[];
}

/** Reads from the API server. Any kind; one request each, or one for each page of a list. */
export class LiveReader implements Reader {
  readonly #context: ClientContext;
  constructor(context: ClientContext) {
    this.#context = context;
  }

  async get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T> {
    const { transport } = await this.#context.backend();
    const signal = this.#context.signal;
    const { info } = await this.#context.targetOf(kind);
    const path = objectPath(info, key);
    return deepFreeze(
      await transport.request<T>({ method: 'GET', path, signal, attempted: `get ${describe(info.kind, key)}` }),
    );
  }

  async find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.get(kind, key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: KindRef<T>, options: ListOptions<NoInfer<T>> = {}): Promise<readonly T[]> {
    if (options.index !== undefined) {
      throw new KubewrightError(
        'INDEX_NEEDS_CACHE',
        `list by the index '${options.index.name}': indexes are in the cache; read without 'live', or select by labels or fields`,
      );
    }
    const { namespaces } = await this.#context.backend();
    const target = await this.#context.targetOf(kind);
    const within =
      target.info.namespaced && options.namespace === undefined ? (namespaces ?? [undefined]) : [options.namespace];
    const lists: (readonly KubeObject[])[] = [];
    for (const namespace of within) lists.push(await this.#listIn(target, namespace, queryOf(options)));
    return Object.freeze(lists.flat()) as readonly T[];
  }

  async #listIn(
    target: Target,
    namespace: string | undefined,
    query: Record<string, string>,
  ): Promise<readonly KubeObject[]> {
    const { info } = target;
    const { transport } = await this.#context.backend();
    const path = resourcePath(info, { namespace });
    const items: KubeObject[] = [];
    let next: Record<string, string | number> | undefined = { limit: PAGE_SIZE };
    while (next !== undefined) {
      const asked: Record<string, string | number> = next;
      try {
        const page: Page = await transport.request<Page>({
          method: 'GET',
          path,
          query: { ...query, ...asked },
          signal: this.#context.signal,
          attempted: `list ${info.plural}`,
        });
        for (const item of page.items)
          items.push(deepFreeze({ ...item, apiVersion: info.apiVersion, kind: info.kind }));
        next = page.metadata?.continue ? { limit: PAGE_SIZE, continue: page.metadata.continue } : undefined;
      } catch (error) {
        if (!isExpired(error) || asked.continue === undefined) throw error;
        items.length = 0;
        next = {};
      }
    }
    return items;
  }
}

function queryOf(options: ListOptions<never>): Record<string, string> {
  const query: Record<string, string> = {};
  if (options.labels !== undefined) {
    query.labelSelector = typeof options.labels === 'string' ? options.labels : formatLabels(options.labels);
  }
  if (options.fields !== undefined) {
    query.fieldSelector = Object.entries(options.fields)
      .map(([path, value]) => `${path}=${value.replace(/[\\,=]/g, '\\$&')}`)
      .join(',');
  }
  return query;
}
