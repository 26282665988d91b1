import type { Clock } from '@kubewright/api/clock';
import { parseJson } from '@kubewright/api/json';
import type { AggregationClient } from '../../registry/aggregation/aggregation-client.js';
import { aggregatedService, isAvailable } from '../../registry/aggregation/aggregated-service.js';
import { remoteUserHeaders } from '../../registry/aggregation/remote-user-headers.js';
import type { ApiObject, JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import { mastersGroup } from '../../registry/requests/user.js';
import { readBody } from '../../registry/webhooks/read-answer.js';
import { WebhookCallError } from '../../registry/webhooks/webhook-call-error.js';

const aggregator = { name: 'system:kube-aggregator', groups: [mastersGroup] };
const timeoutMs = 5000;
const aggregatedTypes = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);

interface RemoteDocument {
  readonly contentType: string;
  readonly body: JsonObject;
}

/** Reads the discovery and OpenAPI documents of aggregated API servers. Reads them for each request, so the documents are current. */
export class RemoteDocuments {
  readonly #client: AggregationClient;
  readonly #clock: Clock;
  /** The last known entries by the uid of the APIService. */
  #known: ReadonlyMap<string, JsonObject> = new Map();

  constructor(client: AggregationClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * Returns the entries of APIServices in an aggregated discovery document, by the uid of the APIService. If a server does not answer, its
   * entry is the last known entry, and is marked as stale.
   */
  async versions(apiServices: readonly ApiObject[]): Promise<ReadonlyMap<string, JsonObject>> {
    const lists = new Map<string, Promise<RemoteDocument | undefined>>();
    const entries = await Promise.all(
      apiServices.map(async (apiService) => {
        const service = JSON.stringify(aggregatedService(apiService));
        const list = lists.get(service) ?? this.#get(apiService, '/apis', aggregatedTypes.join(','));
        lists.set(service, list);
        const { uid } = apiService.metadata;
        const found = await this.#version(apiService, await list);
        const known = found ?? this.#known.get(uid) ?? { version: stringAt(apiService, 'spec', 'version') };
        return [uid, { ...known, freshness: found === undefined ? 'Stale' : 'Current' }] as const;
      }),
    );
    this.#known = new Map(entries);
    return this.#known;
  }

  /** Returns the entries of the OpenAPI 3 documents of APIServices, by the path of the document, such as apis/example.com/v1. */
  async openApiPaths(apiServices: readonly ApiObject[]): Promise<JsonObject> {
    const all = await Promise.all(
      apiServices.map(async (apiService) => {
        const path = groupVersionPath(apiService).slice(1);
        const root = await this.#get(apiService, '/openapi/v3', 'application/json');
        const entry = objectAt(root?.body ?? {}, 'paths')[path];
        return isObject(entry) ? [[path, entry] as const] : [];
      }),
    );
    return Object.fromEntries(all.flat());
  }

  async #version(apiService: ApiObject, list: RemoteDocument | undefined): Promise<JsonObject | undefined> {
    const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
    if (list?.contentType.includes('as=APIGroupDiscoveryList') === true) {
      const groups = objectsAt(list.body, 'items').filter((each) => stringAt(each, 'metadata', 'name') === group);
      const versions = groups.flatMap((each) => objectsAt(each, 'versions'));
      return versions.find((each) => each['version'] === version) ?? { version };
    }
    const legacy = await this.#get(apiService, groupVersionPath(apiService), 'application/json');
    if (legacy === undefined) return undefined;
    return { version, resources: discoveredResources(objectsAt(legacy.body, 'resources'), { group, version }) };
  }

  /** Returns a document, or undefined if the server is not available, does not answer in time, or does not have the document. */
  async #get(apiService: ApiObject, path: string, accept: string): Promise<RemoteDocument | undefined> {
    if (!isAvailable(apiService)) return undefined;
    const end = new AbortController();
    const { signal } = end;
    const timer = this.#clock.schedule(timeoutMs, () => end.abort(new WebhookCallError('context deadline exceeded')));
    const headers = { ...remoteUserHeaders(aggregator), accept };
    try {
      const { response } = await this.#client.open(apiService, { method: 'GET', path, headers, signal });
      const body = await readBody(response, signal);
      const value = response.statusCode === 200 ? parseJson(body) : undefined;
      return isObject(value) ? { contentType: response.headers['content-type'] ?? '', body: value } : undefined;
    } catch {
      // A server that is not available must not affect the documents of other servers.
      return undefined;
    } finally {
      timer.cancel();
    }
  }
}

function groupVersionPath(apiService: ApiObject): string {
  return `/apis/${stringAt(apiService, 'spec', 'group')}/${stringAt(apiService, 'spec', 'version')}`;
}

/** Converts the resources of an APIResourceList to the resources of an APIGroupDiscoveryList. */
function discoveredResources(
  listed: readonly JsonObject[],
  own: { readonly group: string; readonly version: string },
): readonly JsonObject[] {
  const kindOf = (each: JsonObject): JsonObject => ({
    group: stringAt(each, 'group') || own.group,
    version: stringAt(each, 'version') || own.version,
    kind: stringAt(each, 'kind'),
  });
  const texts = (each: JsonObject, field: string): JsonObject =>
    textsAt(each, field).length === 0 ? {} : { [field]: textsAt(each, field) };
  const subresourcesOf = new Map<string, JsonObject[]>();
  for (const each of listed) {
    const [, resource = '', subresource] = /^([^/]*)\/(.*)$/s.exec(stringAt(each, 'name')) ?? [];
    if (subresource === undefined) continue;
    const known = subresourcesOf.get(resource) ?? [];
    known.push({ subresource, responseKind: kindOf(each), verbs: textsAt(each, 'verbs') });
    subresourcesOf.set(resource, known);
  }
  return listed
    .filter((each) => !stringAt(each, 'name').includes('/'))
    .map((each) => {
      const subresources = subresourcesOf.get(stringAt(each, 'name')) ?? [];
      return {
        resource: stringAt(each, 'name'),
        responseKind: kindOf(each),
        scope: each['namespaced'] === true ? 'Namespaced' : 'Cluster',
        singularResource: stringAt(each, 'singularName'),
        verbs: textsAt(each, 'verbs'),
        ...texts(each, 'shortNames'),
        ...texts(each, 'categories'),
        ...(subresources.length === 0 ? {} : { subresources }),
      };
    });
}
