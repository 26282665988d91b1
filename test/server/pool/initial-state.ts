import { isDeepStrictEqual } from 'node:util';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { type Connection, forEachInParallel } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { HANG_LIMIT_MS } from '../hang-limit.js';
import { isForeign } from '../leftovers.js';
import { deletableLists, type ListedObject, metadataIn, pathOf } from '../listed-objects.js';

const pollMs = 50;
/** Lists of objects that affect requests for other objects. These objects are deleted first. */
const intercepting = /\/(apiservices|(validating|mutating)(webhookconfigurations|admissionpolic(ies|ybindings)))$/;
/** Namespaces in which the server's own programs create objects at any time. */
const systemNamespaces = /^kube-/;
/** Objects that the server's own programs write repeatedly, create shortly after their start, or derive from definitions. */
const ownObjects = /\/leases\/|\/namespaces\/default\/(endpoints|endpointslices)\/kubernetes$|\/apiservices\//;

interface Found {
  readonly list: string;
  readonly path: string;
  readonly object: ListedObject;
}
type Content = Readonly<Record<string, unknown>> & { readonly metadata: ListedObject['metadata'] };

/** The objects and the served resources of a server at the time of `open`. `restore` returns the server to this state. */
export class InitialState implements AsyncDisposable {
  readonly #transport: Transport;
  #lists: readonly string[] = [];
  #documents: readonly string[] = [];
  #objects: ReadonlyMap<string, Content> = new Map();

  private constructor(connection: Connection) {
    this.#transport = new Transport(connection);
  }

  /** Records all objects of the server. */
  static async open(connection: Connection): Promise<InitialState> {
    const state = new InitialState(connection);
    state.#lists = await deletableLists(state.#transport);
    state.#documents = await state.#openApiDocuments();
    const recorded = await inParallel(state.#lists, async (list) => {
      const { items } = await state.#get<{ readonly items: readonly Content[] }>(list);
      return items.map((object) => [pathOf(list, object), object] as const);
    });
    state.#objects = new Map(recorded.flat());
    return state;
  }

  /** The paths of the recorded objects. */
  get paths(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /**
   * Deletes all objects that were created since `open`, regardless of their finalizers, and waits until the server no longer serves the
   * resources of new definitions. Rejects if a recorded object was changed or deleted, because the effects of the change are not known, and
   * if objects or resources remain after the time limit.
   */
  async restore({ timeLimitMs = HANG_LIMIT_MS } = {}): Promise<void> {
    const end = performance.now() + timeLimitMs;
    for (;;) {
      const lists = await deletableLists(this.#transport);
      const found = await this.#found(lists);
      this.#checkReplaced(found);
      const remaining = found.filter((one) => this.#isNew(one));
      const isSame = remaining.length === 0 && haveSame(lists, this.#lists) && (await this.#isAsRecorded(found));
      if (isSame && haveSame(await this.#openApiDocuments(), this.#documents)) return;
      if (performance.now() > end) throw new Error(`objects or resources remain: ${namesOf(remaining, lists)}`);
      await this.#remove(remaining, end);
      await pause();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#transport.close();
  }

  /** Deletes these objects, and waits until they are deleted. Other objects may be created in the meantime. */
  async #remove(objects: readonly Found[], end: number): Promise<void> {
    let remaining = objects;
    while (remaining.length > 0 && performance.now() <= end) {
      const [first, rest] = split(remaining, ({ list }) => intercepting.test(list));
      const [namespaces, others] = split(rest, ({ list }) => list.endsWith('/namespaces'));
      for (const group of [first, namespaces, others]) await inParallel(group, (one) => this.#delete(one));
      const filled = new Set(others.map(({ object }) => object.metadata.namespace));
      const empty = namespaces.filter(({ object }) => !filled.has(object.metadata.name));
      await inParallel(empty, (one) => this.#finalize(one));
      const found = await this.#found([...new Set(remaining.map(({ list }) => list))]);
      remaining = found.filter((one) => this.#isNew(one));
      if (remaining.length > 0) await pause();
    }
  }

  /** Requests the deletion of an object, without its finalizers and without a grace period. */
  async #delete({ list, path, object: { metadata } }: Found): Promise<void> {
    // The server deletes the objects of a definition, and then removes the finalizer of the definition.
    if (metadata.finalizers !== undefined && !list.endsWith('/customresourcedefinitions')) {
      const body = { metadata: { uid: metadata.uid, finalizers: null } };
      const contentType = 'application/merge-patch+json';
      await unlessOutdated(this.#transport.request({ method: 'PATCH', path, body, contentType }));
    }
    if (metadata.deletionTimestamp !== undefined) return;
    const body = { gracePeriodSeconds: 0, propagationPolicy: 'Background', preconditions: { uid: metadata.uid } };
    await unlessOutdated(this.#transport.request({ method: 'DELETE', path, body }));
  }

  /** Ends the deletion of an empty namespace, because kube-controller-manager would wait 5 s before it deletes the content. */
  async #finalize({ path }: Found): Promise<void> {
    const finish = async (): Promise<void> => {
      const namespace = await this.#get<Content>(path);
      const body = { ...namespace, spec: { finalizers: [] } };
      await this.#transport.request({ method: 'PUT', path: `${path}/finalize`, body });
    };
    await unlessOutdated(finish());
  }

  /** Returns the names of the OpenAPI documents. The server adds and removes the documents of definitions asynchronously. */
  async #openApiDocuments(): Promise<readonly string[]> {
    return Object.keys((await this.#get<{ readonly paths: object }>('/openapi/v3')).paths);
  }

  /** Returns the objects in these lists. Ignores a list that is no longer served. */
  async #found(lists: readonly string[]): Promise<readonly Found[]> {
    const found = await inParallel(lists, async (list) => {
      const items = (await unlessOutdated(metadataIn(this.#transport, list))) ?? [];
      return items.map((object) => ({ list, path: pathOf(list, object), object }));
    });
    return found.flat();
  }

  /** Whether an object was created since `open`, except objects that the server's own programs create. */
  #isNew({ list, path, object }: Found): boolean {
    const { namespace = '', uid } = object.metadata;
    if (this.#objects.get(path)?.metadata.uid === uid) return false;
    if (isForeign(object, list)) return true;
    return !systemNamespaces.test(namespace) && !ownObjects.test(path);
  }

  /** Throws if a controller or a client created a recorded object again. */
  #checkReplaced(found: readonly Found[]): void {
    const replaced = found.find(({ path, object: { metadata } }) => {
      const recorded = this.#objects.get(path);
      return recorded !== undefined && recorded.metadata.uid !== metadata.uid && !isOwn(path);
    });
    if (replaced !== undefined) throw new Error(`${replaced.path} was deleted`);
  }

  /**
   * Whether the recorded objects have the recorded content, except for their status. Rejects if an object was deleted, or changed by a
   * client. Resolves to false if an aggregated role differs: a controller derives the rules again after the deletion of other roles.
   */
  async #isAsRecorded(found: readonly Found[]): Promise<boolean> {
    const current = new Map(found.map(({ path, object }) => [path, object]));
    const areSame = await inParallel([...this.#objects], async ([path, recorded]) => {
      const { uid, resourceVersion } = current.get(path)?.metadata ?? {};
      if (isOwn(path)) return true;
      if (uid !== recorded.metadata.uid) throw new Error(`${path} was deleted`);
      if (resourceVersion === recorded.metadata.resourceVersion) return true;
      if (isDeepStrictEqual(contentOf(await this.#get<Content>(path)), contentOf(recorded))) return true;
      if (recorded['aggregationRule'] === undefined) throw new Error(`${path} was changed`);
      return false;
    });
    return areSame.every(Boolean);
  }

  #get<T>(path: string): Promise<T> {
    return this.#transport.request<T>({ method: 'GET', path });
  }
}

/** Whether the server's own programs write or delete the object at any time. Events expire. */
function isOwn(path: string): boolean {
  return ownObjects.test(path) || path.includes('/events/');
}

/** Returns the content of an object without the status, the versions and the field managers, which controllers also change. */
function contentOf({ apiVersion: _version, kind: _kind, status: _status, ...content }: Content): object {
  const { resourceVersion: _revision, managedFields: _managers, ...metadata } = content.metadata;
  return { ...content, metadata: { ...metadata, generation: undefined } };
}

/** Resolves with undefined if the object was deleted or replaced in the meantime. */
async function unlessOutdated<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
}

function haveSame(some: readonly string[], others: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(some), new Set(others));
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function namesOf(remaining: readonly Found[], lists: readonly string[]): string {
  return remaining.length > 0 ? remaining.map(({ path }) => path).join(', ') : lists.join(', ');
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pollMs));
}

/** Returns the results of the function for the items, in any order. Limits the number of simultaneous calls. */
async function inParallel<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  await forEachInParallel(items, async (item) => void results.push(await call(item)));
  return results;
}
