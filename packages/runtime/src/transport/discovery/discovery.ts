import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { kindOf } from '@kubewright/api/metadata';
import { type GroupsPath, DiscoverySource } from './discovery-source.js';
import type { ResourceInfo } from '../request/resource-path.js';
import type { ServedGroup, ServedResource, ServedVersion } from './served-group.js';
import type { Transport } from '../sending/transport.js';
import { abortable } from '../../waiting/abortable.js';

/** A query for a kind by its name, or for a resource by its plural name. */
export interface KindQuery {
  /** The API group. Empty for the core group. */
  readonly group: string;
  readonly kind?: string;
  readonly plural?: string;
  /** The version. @default the version that the server prefers among the versions that serve the kind */
  readonly version?: string;
}

/** The groups, versions and resources that an API server serves. */
export interface Served {
  readonly groups: readonly ServedGroup[];
  /** The errors of versions whose resources could not be discovered, by apiVersion. */
  readonly failed: ReadonlyMap<string, Error>;
}

type Resources = readonly ServedResource[] | undefined;

/** Returns the resource that a kind contains. Returns undefined if the resource must be discovered. */
export function resourceIn(kind: KindRef): ResourceInfo | undefined {
  const { group, version, apiVersion, kind: name, builtIn, plural, namespaced } = kindOf(kind);
  if (plural === undefined || namespaced === undefined) return undefined;
  return { group, version, apiVersion, kind: name, plural, namespaced, builtIn };
}

/**
 * Finds the resources of kinds. Built-in kinds and generated classes already contain their resource. For any other kind, requests the
 * resources of the API version of the kind, and caches these resources. If the cached resources do not contain the kind, requests the
 * resources again, so that a kind that was installed later is found. Concurrent callers share requests. Errors are not cached.
 */
export class Discovery {
  readonly #source: DiscoverySource;
  readonly #groups = new Map<GroupsPath, Promise<readonly ServedGroup[]>>();
  readonly #resources = new Map<string, Promise<Resources>>();

  constructor(transport: Transport) {
    this.#source = new DiscoverySource(transport);
  }

  /**
   * Returns the resource of a kind. Sends no request if the kind contains its resource. Rejects with KIND_NOT_SERVED if the API server does
   * not serve the kind, or with the error of the request.
   */
  async resolve(ref: KindRef, signal?: AbortSignal): Promise<ResourceInfo> {
    const contained = resourceIn(ref);
    if (contained !== undefined) return contained;
    const { group, version, kind, builtIn } = kindOf(ref);
    return { ...(await this.find({ group, version, kind }, signal)), builtIn };
  }

  /**
   * Returns the resource of a kind. If the query has no version, uses the version that the server prefers. Rejects with the same errors as
   * `resolve`, and with INVALID_OPTION if the query has neither `kind` nor `plural`. If the signal is aborted, rejects with its reason, but
   * still caches the response.
   *
   * @example
   * const widget = await cluster.discovery.find({ group: 'example.com', kind: 'Widget' });
   * const widgets = await cluster.client.list(dynamicKind(widget.apiVersion, widget.kind));
   */
  async find(query: KindQuery, signal?: AbortSignal): Promise<ResourceInfo> {
    checkQuery(query);
    const [found] = await abortable(this.#found(query), signal);
    if (found === undefined) throw notServed(query);
    return found;
  }

  /** Returns whether the API server serves a kind. Always sends a request. Rejects with the error of the request. */
  async isServed(ref: KindRef, signal?: AbortSignal): Promise<boolean> {
    const { group, version, kind } = kindOf(ref);
    this.#forget({ group, version });
    return (await abortable(this.#found({ group, version, kind }), signal)).length > 0;
  }

  /**
   * Returns the resource of a kind in each version that serves the kind, with the preferred version first. Returns an empty list if no
   * version serves the kind. Rejects with all other errors of `find`.
   */
  async findAll(query: Omit<KindQuery, 'version'>, signal?: AbortSignal): Promise<readonly ResourceInfo[]> {
    checkQuery(query);
    return abortable(this.#found({ ...query, everyVersion: true }), signal);
  }

  /**
   * Returns all groups, versions and resources that the API server serves. Clears the cache before the requests. The field `failed`
   * contains the versions that could not be discovered. Rejects if a list of groups cannot be read, and with the reason of the signal if
   * the signal is aborted. A missing `/api` is treated as an empty list.
   */
  async served(signal?: AbortSignal): Promise<Served> {
    this.invalidate();
    const groups = (await abortable(Promise.all([this.#groupsAt('/api'), this.#groupsAt('/apis')]), signal)).flat();
    const failed = new Map<string, Error>();
    const complete = groups.map(async ({ group, versions }) => ({
      group,
      versions: await Promise.all(versions.map((version) => this.#complete({ group, version, failed }))),
    }));
    return { groups: await abortable(Promise.all(complete), signal), failed };
  }

  /** Clears the cache for a group, or for all groups. The next lookup then sends a request. */
  invalidate(group?: string): void {
    if (group === undefined) {
      this.#groups.clear();
      this.#resources.clear();
      return;
    }
    this.#groups.delete(pathOf(group));
    for (const apiVersion of this.#resources.keys()) {
      if (apiVersion.startsWith(`${group}/`)) this.#resources.delete(apiVersion);
    }
  }

  /** Searches for a kind in the cache. If the cache does not contain the kind, sends a request. */
  async #found(query: Search): Promise<readonly ResourceInfo[]> {
    const before = this.#remembered(query);
    const found = await this.#search(query);
    if (found.length > 0 || before === undefined) return found;
    if (this.#remembered(query) === before) this.#forget(query);
    return this.#search(query);
  }

  /** Returns the cached response for a query. Returns undefined if there is none. */
  #remembered({ group, version }: KindQuery): Promise<unknown> | undefined {
    return version === undefined ? this.#groups.get(pathOf(group)) : this.#resources.get(`${group}/${version}`);
  }

  #forget({ group, version }: KindQuery): void {
    if (version === undefined) this.invalidate(group);
    else this.#resources.delete(`${group}/${version}`);
  }

  async #search(query: Search): Promise<readonly ResourceInfo[]> {
    const { group, version } = query;
    if (version !== undefined) return matching(query, version, await this.#resourcesOf(group, version));
    const versions = (await this.#groupsAt(pathOf(group))).find((served) => served.group === group)?.versions ?? [];
    const found: ResourceInfo[] = [];
    for (const served of versions) {
      if (served.stale) throw stale(group, served.version);
      // oxlint-disable-next-line no-await-in-loop -- stops at the first version that serves the kind
      append(found, matching(query, served.version, await this.#resourcesOf(group, served.version)));
      if (found.length > 0 && query.everyVersion !== true) break;
    }
    return found;
  }

  #groupsAt(path: GroupsPath): Promise<readonly ServedGroup[]> {
    return remembered(this.#groups, path, async () => {
      const groups = await this.#source.groups(path);
      for (const { group, versions } of groups) {
        for (const { version, resources, stale: isStale } of versions) {
          if (resources !== undefined && !isStale)
            this.#resources.set(`${group}/${version}`, Promise.resolve(resources));
        }
      }
      return groups;
    });
  }

  #resourcesOf(group: string, version: string): Promise<Resources> {
    const key = `${group}/${version}`;
    return remembered(this.#resources, key, async () => {
      const resources = await this.#source.resources(group, version);
      if (resources === undefined) await this.#forgetVersion(group, version);
      return resources;
    });
  }

  /** Removes a version that the server does not serve from the cache. If the cached group contains this version, also removes the group. */
  async #forgetVersion(group: string, version: string): Promise<void> {
    this.#resources.delete(`${group}/${version}`);
    const groups = await this.#groups.get(pathOf(group))?.catch(() => []);
    const known = groups?.find((served) => served.group === group);
    if (known?.versions.some((served) => served.version === version)) this.invalidate(group);
  }

  async #complete({ group, version, failed }: Completed): Promise<ServedVersion> {
    try {
      if (version.stale) throw stale(group, version.version);
      return { ...version, resources: (await this.#resourcesOf(group, version.version)) ?? [] };
    } catch (error) {
      failed.set(apiVersionOf(group, version.version), error instanceof Error ? error : new Error(String(error)));
      return version;
    }
  }
}

interface Search extends KindQuery {
  /** Whether to return all versions instead of only the first version that serves the kind. @default false */
  readonly everyVersion?: boolean;
}

interface Completed {
  readonly group: string;
  readonly version: ServedVersion;
  readonly failed: Map<string, Error>;
}

/**
 * Returns the cached promise for a key. If there is none, calls `load` and caches the promise of `load`. Removes a promise that rejects.
 */
function remembered<K, V>(known: Map<K, Promise<V>>, key: K, load: () => Promise<V>): Promise<V> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const requested = load();
  known.set(key, requested);
  requested.catch(() => {
    if (known.get(key) === requested) known.delete(key);
  });
  return requested;
}

function matching(query: KindQuery, version: string, resources: Resources): readonly ResourceInfo[] {
  const { group, kind, plural } = query;
  return (resources ?? [])
    .filter(
      (resource) =>
        (kind === undefined || resource.kind === kind) && (plural === undefined || resource.plural === plural),
    )
    .slice(0, 1)
    .map((resource) => ({
      group,
      version,
      apiVersion: apiVersionOf(group, version),
      kind: resource.kind,
      plural: resource.plural,
      namespaced: resource.namespaced,
    }));
}

function pathOf(group: string): GroupsPath {
  return group === '' ? '/api' : '/apis';
}

function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

function checkQuery({ kind, plural }: KindQuery): void {
  if (kind !== undefined || plural !== undefined) return;
  throw new KubewrightError('INVALID_OPTION', "cannot look up a kind: specify 'kind' or 'plural'");
}

function notServed({ group, version, kind, plural }: KindQuery): KubewrightError {
  const what = kind ?? plural ?? '';
  const where = version === undefined ? `group '${group}'` : apiVersionOf(group, version);
  return new KubewrightError(
    'KIND_NOT_SERVED',
    `the API server does not serve ${what} of ${where}: install its CustomResourceDefinition, or correct the name, the group or the version`,
  );
}

function stale(group: string, version: string): KubewrightError {
  return new KubewrightError(
    'DISCOVERY_FAILED',
    `cannot discover ${apiVersionOf(group, version)}: the API server could not reach the server of this API; check its APIService`,
  );
}
