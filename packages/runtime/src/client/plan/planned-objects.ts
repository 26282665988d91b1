import { randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { parseLabelSelector } from '@kubewright/api/selectors';
import type { Query } from '../../transport/request/request-options.js';
import { fieldMatcher } from '../../cache/selection/field-match.js';
import { objectPathOf, type RequestTarget } from './request-target.js';

/**
 * The resourceVersions of planned objects start above this number. They are greater than all versions of the server, so that an event of a
 * watch never replaces a planned object in a cache.
 */
const FIRST_VERSION = 10n ** 18n;

interface Planned {
  readonly target: RequestTarget;
  /** The planned state of the object. Undefined if the object would be deleted. */
  readonly object: KubeObject | undefined;
}

/** The objects of a cluster as they would be after the planned writes. */
export class PlannedObjects {
  readonly #read: (path: string) => Promise<unknown>;
  readonly #planned = new Map<string, Planned>();
  /** The paths of the objects on the earlier pages of a list, by the request for the next page. */
  readonly #shown = new Map<string, ReadonlySet<string>>();
  #version = FIRST_VERSION;
  #named = 0;

  /** `read` returns the object at a URL path from the server. `read` must reject if the object does not exist. */
  constructor(read: (path: string) => Promise<unknown>) {
    this.#read = read;
  }

  /** Whether the plan contains a write of the object. */
  has(target: RequestTarget): boolean {
    return this.#planned.has(objectPathOf(target));
  }
  /**
   * Returns the object as it would be after the planned writes. Returns undefined if the object would not exist. Rejects with the errors of
   * the server.
   */
  async find(target: RequestTarget): Promise<KubeObject | undefined> {
    const path = objectPathOf(target);
    const planned = this.#planned.get(path);
    if (planned !== undefined) return planned.object;
    try {
      return (await this.#read(path)) as KubeObject;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
  /** Sets the planned state of an object. Returns this state with the metadata that the server would add. */
  set(target: RequestTarget, object: KubeObject, before: KubeObject | undefined, now: string): KubeObject {
    this.#version += 1n;
    // A new object does not have a uid and a creation time yet.
    const { generation: _, ...metadata }: Partial<ObjectMeta> = object.metadata;
    const resourceVersion = String(this.#version);
    const own = { uid: randomUUID(), creationTimestamp: now, ...metadata, resourceVersion };
    const generation = generationOf(object, before);
    const written = { ...object, metadata: { ...own, ...(generation !== undefined && { generation }) } } as KubeObject;
    this.#planned.set(objectPathOf(target, object.metadata.name), { target, object: written });
    return written;
  }
  /** Marks an object as deleted in the plan. */
  remove(target: RequestTarget, name: string): void {
    this.#planned.set(objectPathOf(target, name), { target, object: undefined });
  }
  /** Returns a name for an object with `generateName`: the prefix and a number. The server would append random characters instead. */
  nameFrom(prefix: string): string {
    this.#named += 1;
    return `${prefix}${String(this.#named).padStart(5, '0')}`;
  }

  /**
   * Returns the items of a page as they would be after the planned writes. An existing object stays on its page. The last page ends with
   * the new objects.
   */
  inList(target: RequestTarget, items: readonly KubeObject[], { query, next }: ListedPage): readonly KubeObject[] {
    const here = new Set(items.map(({ metadata: { name, namespace } }) => pathIn(target, name, namespace)));
    const earlier = this.#shown.get(pageKey(target, query, query?.['continue'])) ?? new Set();
    if (next !== undefined) this.#shown.set(pageKey(target, query, next), new Set([...earlier, ...here]));
    const mine = [...this.#planned].filter(([, { target: of }]) => isIn(of, target));
    if (mine.length === 0) return items;
    const paths = new Map(mine);
    const isSelected = selected(query);
    const kept = items.filter(({ metadata: { name, namespace } }) => !paths.has(pathIn(target, name, namespace)));
    const planned = mine.flatMap(([path, { object }]) => {
      const isOnPage = here.has(path) || (next === undefined && !earlier.has(path));
      return isOnPage && object !== undefined && isSelected(object) ? [object] : [];
    });
    return [...kept, ...planned];
  }
}

/** A page of a list. */
export interface ListedPage {
  /** The query of the request for the page. */
  readonly query: Query | undefined;
  /** The token of the next page. Undefined for the last page. */
  readonly next: string | undefined;
}

/**
 * Returns a text that identifies a page of a list. The text also contains the selectors, because lists with different selectors can have
 * the same continue token.
 */
function pageKey(
  { group, version, plural, namespace }: RequestTarget,
  query: Query | undefined,
  token: unknown,
): string {
  const { labelSelector, fieldSelector } = query ?? {};
  return JSON.stringify([group, version, plural, namespace, labelSelector, fieldSelector, token]);
}
function pathIn(target: RequestTarget, name: string, namespace: string | undefined): string {
  return objectPathOf(namespace === undefined ? target : { ...target, namespace }, name);
}
function isIn(object: RequestTarget, list: RequestTarget): boolean {
  const isOfKind = object.group === list.group && object.version === list.version && object.plural === list.plural;
  return isOfKind && (list.namespace === undefined || object.namespace === list.namespace);
}

function selected(query: Query | undefined): (object: KubeObject) => boolean {
  const labels = query?.['labelSelector'];
  const fields = query?.['fieldSelector'];
  const byLabels = typeof labels === 'string' ? parseLabelSelector(labels) : undefined;
  const byFields = typeof fields === 'string' ? fieldMatcher(fields) : undefined;
  return (object) => (byLabels?.matches(object.metadata.labels ?? {}) ?? true) && (byFields?.(object) ?? true);
}

/**
 * Returns the generation of the planned object. The generation increases with every change outside of metadata and status. An existing
 * object without a generation gets none.
 */
function generationOf(object: KubeObject, before: KubeObject | undefined): number | undefined {
  if (before === undefined) return 1;
  const { generation } = before.metadata;
  return generation === undefined || deepEqual(desiredOf(object), desiredOf(before)) ? generation : generation + 1;
}
function desiredOf(object: KubeObject): unknown {
  const { metadata: _, status: __, ...desired } = object as KubeObject & { readonly status?: unknown };
  return desired;
}
