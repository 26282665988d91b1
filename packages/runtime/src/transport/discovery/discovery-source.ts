import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import {
  groupsOf,
  type GroupsDocument,
  type ResourcesDocument,
  resourcesOf,
  type ServedGroup,
  type ServedResource,
} from './served-group.js';
import type { Transport } from '../sending/transport.js';

/** The `accept` header for the aggregated discovery document, or for the unaggregated document of an older server. */
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** The path of the core group ('/api'), or of all other groups ('/apis'). */
export type GroupsPath = '/api' | '/apis';

interface KnownGroups {
  readonly etag: string | undefined;
  readonly groups: readonly ServedGroup[];
}

/** Requests the discovery documents of an API server. Uses ETags, so that the server does not send an unchanged document again. */
export class DiscoverySource {
  readonly #transport: Transport;
  readonly #known = new Map<GroupsPath, KnownGroups>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Returns the groups at a path. If the server supports aggregated discovery, the groups contain their resources. Returns an empty list if
   * the server has no `/api`. Rejects with the error of the request, also if `/apis` does not exist, and with DISCOVERY_FAILED if the
   * response is not a list of groups.
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
      throw discoveryFailed(`the groups at ${path}`, new Error('the response is not a list of groups'));
    this.#known.set(path, { etag, groups });
    return groups;
  }

  /**
   * Returns the resources of a version of an API group. Returns undefined if the server does not serve the version. Rejects with the error
   * of the request.
   */
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

/**
 * Returns the error for a failed discovery request: a `KubewrightError` unchanged, or DISCOVERY_FAILED for any other error. After such an
 * error, it is not known whether the server serves the resource.
 */
function discoveryFailed(what: string, cause: unknown): KubewrightError {
  if (cause instanceof KubewrightError) return cause;
  return new KubewrightError('DISCOVERY_FAILED', `cannot discover ${what}: ${String(cause)}`, { cause });
}
