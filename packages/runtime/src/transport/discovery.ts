import type { KindRef } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { kindOf } from '@kubewright/api/metadata';
import { type GroupsPath, DiscoverySource } from './discovery-source.js';
import type { ResourceInfo } from './resource-path.js';
import type { ServedGroup, ServedResource, ServedVersion } from './served-group.js';
import type { Transport } from './transport.js';
import { abortable } from './abortable.js';

/** A kind, or a resource by its plural, to look for. */
export interface KindQuery {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind?: string;
  readonly plural?: string;
  /** @default the one that the server prefers, of those that have the kind */
  readonly version?: string;
}

/** Everything that a server serves, as far as it could be found out. */
export interface Served {
  readonly groups: readonly ServedGroup[];
  /** Why the resources of a version are not among them, by its apiVersion. */
  readonly failed: ReadonlyMap<string, Error>;
}

type Resources = readonly ServedResource[] | undefined;

/**
 * Where the objects of a kind are served. Classes and built-ins say so themselves; kinds known only by name are looked up once, with one
 * request for their version, and again only after a miss: a definition that was installed meanwhile is found, a version that is gone is
 * forgotten with its group. Those who ask at once share one request, and no failure is remembered.
 */
export class Discovery {
  readonly #source: DiscoverySource;
  readonly #groups = new Map<GroupsPath, Promise<readonly ServedGroup[]>>();
  readonly #resources = new Map<string, Promise<Resources>>();

  constructor(transport: Transport) {
    this.#source = new DiscoverySource(transport);
  }

  /** Rejects with KIND_NOT_SERVED when the API server does not know the kind, and with what kept it from answering. */
  async resolve(ref: KindRef, signal?: AbortSignal): Promise<ResourceInfo> {
    const { group, version, apiVersion, kind, builtIn, plural, namespaced } = kindOf(ref);
    if (plural !== undefined && namespaced !== undefined) {
      return { group, version, apiVersion, kind, plural, namespaced, builtIn };
    }
    return { ...(await this.find({ group, version, kind }, signal)), builtIn };
  }

  /**
   * Where a kind is served of which the version need not be known; then it is the one that the server prefers. Rejects as `resolve`
   * does; when the signal is aborted, with its reason: what was asked is still remembered.
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

  /** Returns whether the API server serves a kind now. Ignores remembered answers. Rejects if the API server does not answer. */
  async isServed(ref: KindRef, signal?: AbortSignal): Promise<boolean> {
    const { group, version, kind } = kindOf(ref);
    this.#forget({ group, version });
    return (await abortable(this.#found({ group, version, kind }), signal)).length > 0;
  }

  /** A kind in every version that serves it, the preferred one first; empty when there is none. */
  async findAll(query: Omit<KindQuery, 'version'>, signal?: AbortSignal): Promise<readonly ResourceInfo[]> {
    checkQuery(query);
    return abortable(this.#found({ ...query, everyVersion: true }), signal);
  }

  /** All that is served. A version that cannot be asked is told beside the others; only when `/apis` fails, this rejects. */
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

  /** Forgets what is known of a group, or of all, so that the next look-up asks the server. */
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

  /** First of what is remembered; where that has nothing, of what the server says now. */
  async #found(query: Search): Promise<readonly ResourceInfo[]> {
    const before = this.#remembered(query);
    const found = await this.#search(query);
    if (found.length > 0 || before === undefined) return found;
    if (this.#remembered(query) === before) this.#forget(query);
    return this.#search(query);
  }

  /** What an answer would come of without asking; undefined where the server would be asked. */
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
      // oxlint-disable-next-line no-await-in-loop -- the versions after the one that has it need not be asked
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
      if (resources === undefined) await this.#gone(group, version);
      return resources;
    });
  }

  /** A version that is not there is not remembered, and where it was thought to be, nothing of its group is. */
  async #gone(group: string, version: string): Promise<void> {
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
  /** @default false: the first that has it */
  readonly everyVersion?: boolean;
}

interface Completed {
  readonly group: string;
  readonly version: ServedVersion;
  readonly failed: Map<string, Error>;
}

/** Returns the known promise of a key. If there is none, calls `ask` and keeps its promise, unless the promise rejects. */
function remembered<K, V>(known: Map<K, Promise<V>>, key: K, ask: () => Promise<V>): Promise<V> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const asked = ask();
  known.set(key, asked);
  asked.catch(() => {
    if (known.get(key) === asked) known.delete(key);
  });
  return asked;
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
  throw new KubewrightError('INVALID_OPTION', "cannot look for a kind: give its 'kind' or its 'plural'");
}

function notServed({ group, version, kind, plural }: KindQuery): KubewrightError {
  const what = kind ?? plural ?? '';
  const where = version === undefined ? `the group '${group}'` : apiVersionOf(group, version);
  return new KubewrightError(
    'KIND_NOT_SERVED',
    `the API server does not serve ${what} of ${where}: is its CustomResourceDefinition installed?`,
  );
}

function stale(group: string, version: string): KubewrightError {
  return new KubewrightError(
    'DISCOVERY_FAILED',
    `cannot discover ${apiVersionOf(group, version)}: the API server could not reach the server that has it; see its APIService`,
  );
}
