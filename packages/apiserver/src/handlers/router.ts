import { AccessGate } from './access/access-gate.js';
import { type Answer, json, notFoundPage, statusAnswer, text } from './answer.js';
import type { ApiRequest } from './api-request.js';
import { discoveredGroups } from './discovery/discovery.js';
import { discoveryRoute } from './discovery/discovery-route.js';
import type { OpenApi } from './open-api/open-api.js';
import { openApiRoute } from './open-api/open-api-route.js';
import { requestInfo } from './request-info.js';
import { resourceRoute, unknownResource } from './resource-route.js';
import { isHealthPath, rootPaths } from './discovery/root-paths.js';
import { serverVersion } from './discovery/server-version.js';
import type { Serving } from './serving.js';
import { tokenDiscovery } from './access/token-discovery.js';

/** Every path that the server knows; the others get the 404 of a real one. */
export class Router {
  readonly #serving: Serving;
  readonly #gate: AccessGate;
  readonly #openApi: OpenApi;

  constructor(serving: Serving, openApi: OpenApi) {
    this.#serving = serving;
    this.#gate = new AccessGate(serving.authorizer);
    this.#openApi = openApi;
  }

  /** The answer to a request. Throws the ApiError with which a user is turned away; other refusals are answers. */
  async route(asked: ApiRequest): Promise<Answer> {
    const info = requestInfo(asked.method, asked.path, asked.query);
    const request = this.#gate.admit(asked, info);
    if (info !== undefined) {
      if (this.#serves(info.group, info.version)) return resourceRoute(this.#serving, request, info);
      const known = this.#serving.registry.isBuiltInGroup(info.group);
      return known ? statusAnswer(unknownResource().body) : notFoundPage();
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const document = isRead ? this.#read(request) : undefined;
    return document ?? discoveryRoute(this.#serving, request) ?? notFoundPage();
  }

  #read(request: ApiRequest): Answer | undefined {
    const { accountTokens: tokens, address } = this.#serving;
    return this.#openPath(request.path) ?? this.#document(request) ?? tokenDiscovery(request, { tokens, address });
  }

  #serves(group: string, version: string): boolean {
    return this.#serving.registry.all().some((found) => found.group === group && found.version === version);
  }

  #openPath(path: string): Answer | undefined {
    if (path === '/version' || path === '/version/') return json(serverVersion);
    return isHealthPath(path) ? text('ok') : undefined;
  }

  #document(request: ApiRequest): Answer | undefined {
    if (request.path === '/') return json(rootPaths(discoveredGroups(this.#serving.registry)));
    return openApiRoute(this.#openApi, request, this.#serving.clock.now());
  }
}
