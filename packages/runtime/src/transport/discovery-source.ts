import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import {
  groupsOf,
  type GroupsDocument,
  type ResourcesDocument,
  resourcesOf,
  type ServedGroup,
  type ServedResource,
} from './served-group.js';
import type { Transport } from './transport.js';

/** The document of all groups with all resources, and else the one that servers before it have. */
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Where the groups are: the core group by itself, and all others. */
export type GroupsPath = '/api' | '/apis';

interface KnownGroups {
  readonly etag: string | undefined;
  readonly groups: readonly ServedGroup[];
}

/** Asks an API server what it serves, and for the same document only as far as it has changed. */
export class DiscoverySource {
  readonly #transport: Transport;
  readonly #known = new Map<GroupsPath, KnownGroups>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The groups there, with their resources where the server tells both at once. A server without a core group has none at `/api`;
   * `/apis` has to be there. Rejects with DISCOVERY_FAILED.
   */
  async groups(path: GroupsPath): Promise<readonly ServedGroup[]> {
    const known = this.#known.get(path);
    let etag: string | undefined;
    let document: GroupsDocument | undefined;
    try {
      document = await this.#transport.request<GroupsDocument | undefined>({
        method: 'GET',
        path,
        accept: AGGREGATED,
        ...(known?.etag === undefined ? {} : { headers: { 'if-none-match': known.etag } }),
        onHeaders: (headers) => {
          etag = typeof headers['etag'] === 'string' ? headers['etag'] : undefined;
        },
        attempted: `discover the groups at ${path}`,
      });
    } catch (error) {
      if (path === '/api' && isNotFound(error)) return [];
      throw discoveryFailed(`the groups at ${path}`, error);
    }
    if (document === undefined && known !== undefined) return known.groups;
    const groups = groupsOf(document);
    if (groups === undefined)
      throw discoveryFailed(`the groups at ${path}`, new Error('the answer is no list of groups'));
    this.#known.set(path, { etag, groups });
    return groups;
  }

  /** The resources of one version; undefined when the server does not have it. Rejects with DISCOVERY_FAILED. */
  async resources(group: string, version: string): Promise<readonly ServedResource[] | undefined> {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const attempted = `discover ${group === '' ? version : `${group}/${version}`}`;
    try {
      return resourcesOf(await this.#transport.request<ResourcesDocument>({ method: 'GET', path, attempted }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw discoveryFailed(`${group}/${version}`, error);
    }
  }
}

/** An error of which the answer is not known, as opposed to one that says that there is nothing. */
function discoveryFailed(what: string, cause: unknown): KubewrightError {
  if (cause instanceof KubewrightError) return cause;
  return new KubewrightError('DISCOVERY_FAILED', `cannot discover ${what}: ${String(cause)}`, { cause });
}
