import { type Attributes, attributesOf } from '../../authorization/attributes.js';
import type { ApiRequest } from '../api-request.js';
import type { RequestInfo } from '../request-info.js';
import { requestRight } from './request-right.js';

/** What a request wants to do, as the authorizer is asked. */
export function requestAttributes(request: ApiRequest, info: RequestInfo | undefined): Attributes {
  return attributesOf(request.user, requestRight(request, info));
}
