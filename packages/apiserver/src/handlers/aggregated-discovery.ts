import type { ResourceDefinition } from '../registry/resource-definition.js';
import { mediaTypes } from './accept.js';
import { type Answer, json } from './answer.js';
import type { ApiRequest } from './api-request.js';
import { contentHash, type GroupVersions } from './discovery.js';

/** The version of aggregated discovery that the client prefers; undefined when it wants the legacy documents. */
export function aggregatedVersion(accept: string | undefined): 'v2' | 'v2beta1' | undefined {
  for (const { type, parameters } of mediaTypes(accept)) {
    if (type !== 'application/json') continue;
    if (parameters.get('as') === undefined) return undefined;
    const version = parameters.get('v');
    if (parameters.get('g') !== 'apidiscovery.k8s.io') continue;
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}

/** Everything that the groups serve, in one document; 304 when the client has it already. */
export function aggregatedDiscovery(
  request: ApiRequest,
  groups: readonly GroupVersions[],
  version: 'v2' | 'v2beta1',
): Answer {
  const document = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === '' ? { creationTimestamp: null } : { name: group, creationTimestamp: null },
      versions: versions.map(({ version: name, resources }) => ({
        version: name,
        resources: resources.map(discoveredResource),
        freshness: 'Current',
      })),
    })),
  };
  const etag = `"${contentHash(JSON.stringify(document))}"`;
  const headers = {
    'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    etag,
    vary: 'Accept',
    'cache-control': 'public',
  };
  return request.headers['if-none-match'] === etag ? json(undefined, 304, headers) : json(document, 200, headers);
}

function discoveredResource(definition: ResourceDefinition): object {
  const { group, version, kind, shortNames, categories } = definition;
  const subresources = [...definition.subresources.values()].map((subresource) => ({
    subresource: subresource.name,
    responseKind: { group: subresource.group, version: subresource.version, kind: subresource.kind },
    verbs: subresource.verbs,
  }));
  return {
    resource: definition.plural,
    responseKind: { group, version, kind },
    scope: definition.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: definition.singular,
    verbs: definition.verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
