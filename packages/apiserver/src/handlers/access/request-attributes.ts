import { type Attributes, attributesOf } from '../../authorization/attributes.js';
import type { ApiRequest } from '../api-request.js';
import type { RequestInfo } from '../request-info.js';
import { requestPermission } from './request-permission.js';

/** Returns the authorizer attributes of a request. */
export function requestAttributes(request: ApiRequest, info: RequestInfo | undefined): Attributes {
  const attributes = attributesOf(request.user, requestPermission(request, info));
  const fieldSelector = request.query.get('fieldSelector') ?? '';
  return attributes.kind === 'path' || fieldSelector === '' ? attributes : { ...attributes, fieldSelector };
}
