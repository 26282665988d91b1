import type { Authorizer } from '../../authorization/authorizer.js';
import { Impersonation } from '../../authorization/impersonation.js';
import { refusal } from '../../authorization/refusal.js';
import type { ApiRequest } from '../api-request.js';
import { requestAttributes } from './request-attributes.js';
import type { RequestInfo } from '../request-info.js';

/** Impersonates and authorizes each request before any handler runs. */
export class AccessGate {
  readonly #authorizer: Authorizer;
  readonly #impersonation: Impersonation;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
    this.#impersonation = new Impersonation(authorizer);
  }

  /**
   * Returns the request. If the request impersonates a user, this user replaces the requesting user. Throws 403 if the impersonation or the
   * request is not allowed.
   */
  admit(requested: ApiRequest, info: RequestInfo | undefined): ApiRequest {
    const request = this.#asImpersonated(requested, info);
    const attributes = requestAttributes(request, info);
    const { allowed, reason } = this.#authorizer.decide(attributes);
    if (!allowed) throw refusal(attributes, reason);
    return request;
  }

  #asImpersonated({ impersonate, ...request }: ApiRequest, info: RequestInfo | undefined): ApiRequest {
    if (impersonate === undefined) return request;
    return { ...request, user: this.#impersonation.impersonate(impersonate, requestAttributes(request, info)) };
  }
}
