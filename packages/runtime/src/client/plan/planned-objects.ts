import { randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '@kubewright/api';
import { isNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { parseLabelSelector } from '@kubewright/api/selectors';
import type { Query } from '../../transport/request/request-options.js';
import { fieldMatcher } from '../../cache/selection/field-match.js';
import { objectPathOf, type RequestTarget } from './request-target.js';

/**
 * The resourceVersion of the first planned object. Planned versions are greater than all versions of the server, so that no event of a
 * watch replaces a planned object in a cache.
 */
const FIRST_VERSION = 10n ** 18n;

interface Planned {
  readonly target: RequestTarget;
  /** Undefined for an object that would be deleted. */
  readonly object: KubeObject | undefined;
}

/** The objects of a cluster, with the results of planned writes. */
export class PlannedObjects {
  readonly #read: (path: string) => Promise<unknown>;
  readonly #planned = new Map<string, Planned>();
  #version = FIRST_VERSION;
  #named = 0;

  /** `read` returns the object at a path of the server, and rejects if the object does not exist. */
  constructor(read: (path: string) => Promise<unknown>) {
    this.#read = read;
  }

  /** Whether a write of the object is planned. */
  has(target: RequestTarget): boolean {
    return this.#planned.has(objectPathOf(target));
  }
  /** Returns the object after the planned writes; undefined if the object would not exist. Rejects with the errors of the server. */
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
  /** Plans a state of an object, and returns the state with the metadata that the server would add. */
  set(target: RequestTarget, object: KubeObject, before: KubeObject | undefined, now: string): KubeObject {
    this.#version += 1n;
    // A new object has neither a uid nor a creation time.
    const { generation: _, ...metadata }: Partial<ObjectMeta> = object.metadata;
    const resourceVersion = String(this.#version);
    const own = { uid: randomUUID(), creationTimestamp: now, ...metadata, resourceVersion };
    const generation = generationOf(object, before);
    const written = { ...object, metadata: { ...own, ...(generation !== undefined && { generation }) } } as KubeObject;
    this.#planned.set(objectPathOf(target, object.metadata.name), { target, object: written });
    return written;
  }
  /** Plans the deletion of an object. */
  remove(target: RequestTarget, name: string): void {
    this.#planned.set(objectPathOf(target, name), { target, object: undefined });
  }
  /** Generates a name from a prefix and a number. The server would append random characters to the prefix. */
  nameFrom(prefix: string): string {
    this.#named += 1;
    return `${prefix}${String(this.#named).padStart(5, '0')}`;
  }

  /** Returns the objects of a list after the planned writes. New objects are at the end of the last page. */
  inList(target: RequestTarget, items: readonly KubeObject[], { query, last }: ListedPage): readonly KubeObject[] {
    const mine = [...this.#planned].filter(([, { target: of }]) => isIn(of, target));
    if (mine.length === 0) return items;
    const paths = new Map(mine);
    const isSelected = selected(query);
    const kept = items.filter(({ metadata: { name, namespace } }) => !paths.has(pathIn(target, name, namespace)));
    const planned = mine.flatMap(([, { object }]) => (object !== undefined && isSelected(object) ? [object] : []));
    const shown = new Set(items.map(({ metadata: { name, namespace } }) => pathIn(target, name, namespace)));
    const here = planned.filter(
      ({ metadata: { name, namespace } }) => last || shown.has(pathIn(target, name, namespace)),
    );
    return [...kept, ...here];
  }
}

/** The query of a list, and whether the page is the last. */
export interface ListedPage {
  readonly query: Query | undefined;
  readonly last: boolean;
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
 * Returns the generation, which increases with every change outside of metadata and status. Existing objects without a generation do not
 * get one.
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
