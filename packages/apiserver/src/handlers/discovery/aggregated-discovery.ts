import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { isJson, type MediaType, mediaTypes } from '../answers/accept.js';
import { type Answer, json } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { contentHash, discoveredVerbs, type GroupVersions } from './discovery.js';

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Returns whether the client accepts the aggregated form. This form has precedence, because its media type is more specific. */
export function acceptsAggregated(accept: string | undefined): boolean {
  return mediaTypes(accept).some((entry) => isJson(entry.type) && isAggregated(entry));
}

function isAggregated({ parameters }: MediaType): boolean {
  const requested = ['g', 'v', 'as'].map((name) => parameters.get(name)).join(' ');
  return requested === 'apidiscovery.k8s.io v2 APIGroupDiscoveryList';
}

/**
 * Returns all resources of the groups in one document. Answers 304 if the client has the current document.
 * @param remote the entries of the versions that other servers implement, by the uid of their APIService
 */
export function aggregatedDiscovery(
  request: ApiRequest,
  groups: readonly GroupVersions[],
  remote: ReadonlyMap<string, JsonObject> = new Map(),
): Answer {
  const document = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map(
        ({ version: name, resources, apiService }) =>
          remote.get(apiService?.metadata.uid ?? '') ?? {
            version: name,
            resources: resources.map(discoveredResource),
            freshness: 'Current',
          },
      ),
    })),
  };
  const etag = `"${contentHash(JSON.stringify(document))}"`;
  const headers = { etag, vary: 'Accept', 'cache-control': 'public' };
  if (request.headers['if-none-match'] === etag) return json(undefined, 304, headers);
  return json(document, 200, { ...headers, 'content-type': aggregatedType });
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
    verbs: discoveredVerbs(definition),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
