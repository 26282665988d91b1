import { aggregatedApiService, aggregatedApiServices } from '../registry/aggregation/aggregated-service.js';
import type { ApiObject, JsonObject } from '../registry/objects/api-object.js';
import type { RemoteDocuments } from './aggregation/remote-documents.js';
import { AccessGate } from './access/access-gate.js';
import { checkServed } from './answers/accept.js';
import { type Answer, json, notFoundPage, statusAnswer } from './answers/answer.js';
import type { ApiRequest } from './api-request.js';
import { acceptsAggregated } from './discovery/aggregated-discovery.js';
import { mergedGroups } from './discovery/merged-groups.js';
import { discoveryRoute } from './discovery/discovery-route.js';
import type { OpenApiRoute } from './open-api/open-api-route.js';
import { firstSegment, pathParts, type RequestInfo, requestInfo } from './request-info.js';
import { notAllowed, resourceRoute, unknownResource } from './resource-route.js';
import { healthAnswer, isHealthRoot } from './discovery/health-checks.js';
import { rootPaths } from './discovery/root-paths.js';
import type { Serving } from './serving.js';
import { isTokenDiscovery, tokenDiscovery } from './access/token-discovery.js';

/** Routes requests to the handlers of their paths. Answers 404 for other paths, as a kube-apiserver does. */
export class Router {
  readonly #serving: Serving;
  readonly #gate: AccessGate;
  readonly #openApi: OpenApiRoute;
  #documents: Promise<RemoteDocuments> | undefined;

  constructor(serving: Serving, openApi: OpenApiRoute) {
    this.#serving = serving;
    this.#gate = new AccessGate(serving.authorizer);
    this.#openApi = openApi;
  }

  /**
   * Returns the response to a request. Throws an ApiError if the user is not allowed to send the request, or if the client does not accept
   * the type of a discovery document. Returns the errors of resource requests as responses.
   */
  async route(requested: ApiRequest): Promise<Answer> {
    const info = requestInfo(requested.method, requested.path, requested.query);
    const request = this.#gate.admit(requested, info);
    if (request.path.startsWith('//')) return notFoundPage();
    const apiService = aggregatedApiService(this.#serving.store, request.path);
    if (apiService !== undefined) return this.#aggregated(request, apiService);
    if (info !== undefined) {
      const known = this.#serving.registry.isBuiltInGroup(info.group);
      // A path of a built-in group does not exist if the path has an empty segment.
      const isWhole = !known || !pathParts(request.path).includes('');
      if (isWhole && this.#serves(info.group, info.version)) return this.#resource(request, info);
      return known ? statusAnswer(unknownResource().body) : notFoundPage();
    }
    const document = (await this.#remoteOpenApi(request)) ?? (await this.#document(request));
    if (document !== undefined) return document;
    return discoveryRoute(this.#serving, request, await this.#remoteVersions(request)) ?? notFoundPage();
  }

  /** Forwards a request to another server. Few servers have such APIServices, so the modules are loaded on first use. */
  async #aggregated(request: ApiRequest, apiService: ApiObject): Promise<Answer> {
    const { aggregatedAnswer } = await import('./aggregation/aggregated-answer.js');
    return aggregatedAnswer(request, apiService, this.#serving.registry.aggregation);
  }

  /** Returns the entries of other servers if the request is for the aggregated discovery document of all groups. */
  async #remoteVersions({ path, headers }: ApiRequest): Promise<ReadonlyMap<string, JsonObject> | undefined> {
    const apiServices = aggregatedApiServices(this.#serving.store);
    if (apiServices.length === 0 || pathParts(path).join('/') !== 'apis' || !acceptsAggregated(headers['accept'])) {
      return undefined;
    }
    return (await this.#remoteDocuments()).versions(apiServices);
  }

  /**
   * Answers a request for the OpenAPI 3 document of an aggregated API server. If aggregated API servers exist, also answers a request for
   * the index, and adds their documents to the index. Returns undefined for other requests.
   */
  async #remoteOpenApi(request: ApiRequest): Promise<Answer | undefined> {
    const { path } = request;
    const root = '/openapi/v3';
    if (path !== root && !path.startsWith(`${root}/apis/`)) return undefined;
    const { store, clock } = this.#serving;
    const apiService = aggregatedApiService(store, path.slice(root.length));
    if (apiService !== undefined) return this.#aggregated(request, apiService);
    const apiServices = path === root ? aggregatedApiServices(store) : [];
    if (apiServices.length === 0) return undefined;
    const own = await this.#openApi.answer(request, clock.now());
    if (own?.kind !== 'text') return own;
    const index = JSON.parse(String(own.text)) as { readonly paths: JsonObject };
    const paths = { ...index.paths, ...(await (await this.#remoteDocuments()).openApiPaths(apiServices)) };
    return { ...own, text: JSON.stringify({ paths }) };
  }

  #remoteDocuments(): Promise<RemoteDocuments> {
    this.#documents ??= import('./aggregation/remote-documents.js').then(
      ({ RemoteDocuments: Loaded }) => new Loaded(this.#serving.registry.aggregation, this.#serving.clock),
    );
    return this.#documents;
  }

  /** Handles a request on a resource. The metrics contain only resources that exist, so that the number of their labels is limited. */
  async #resource(request: ApiRequest, info: RequestInfo): Promise<Answer> {
    const { registry, metrics } = this.#serving;
    const handle = (): Promise<Answer> => resourceRoute(this.#serving, request, info);
    const { group, version, resource, subresource } = info;
    const found = registry.find(group, version, resource);
    const isServed = subresource === undefined || found?.subresources.has(firstSegment(subresource)) === true;
    return found !== undefined && isServed ? (await metrics()).measure({ request, info }, handle) : handle();
  }

  #serves(group: string, version: string): boolean {
    return this.#serving.registry.all().some((found) => found.group === group && found.version === version);
  }

  /**
   * Returns the response for the root path, the metrics, a health check, an OpenAPI document, `/version` and the discovery of token keys.
   * Returns undefined for other paths. The paths in `#routed` require GET. `#document` does not check the method of its other paths.
   */
  async #document(request: ApiRequest): Promise<Answer | undefined> {
    const { path, query } = request;
    const { registry, clock, metrics } = this.#serving;
    if (path === '/') return json(rootPaths(mergedGroups(registry)));
    if (path === '/metrics') {
      const all = await metrics();
      return { kind: 'text', status: 200, text: all.text(), headers: { 'content-type': all.contentType } };
    }
    const health = healthAnswer(path, query);
    if (health !== undefined && isHealthRoot(path))
      return (await metrics()).measure({ request, info: undefined }, async () => health);
    if (health !== undefined) return health;
    return (await this.#openApi.answer(request, clock.now())) ?? this.#routed(request);
  }

  async #routed(request: ApiRequest): Promise<Answer | undefined> {
    const { accountTokens: tokens, address } = this.#serving;
    const { path, method } = request;
    if (path.startsWith('/version/') && path !== '/version/') return statusAnswer(unknownResource().body);
    const isVersion = path === '/version' || path === '/version/';
    if (!isVersion && !isTokenDiscovery(path)) return undefined;
    if (method !== 'GET') return statusAnswer(notAllowed().body);
    if (!isVersion) return tokenDiscovery(request, { tokens, address });
    checkServed(request.headers['accept'], ['application/json']);
    const { serverVersion } = await import('./discovery/server-version.js');
    return json(serverVersion(this.#serving.registry.kubernetes));
  }
}
