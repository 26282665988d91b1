import type { Permission } from '@kubewright/api/rbac';
import type { RequestInfo } from '../request-info.js';

/** The properties of a request that determine the required permission. */
export interface PermissionRequest {
  readonly method: string;
  /** The decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Returns the permission that the authorizer requires for a request. `info` is the result of `requestInfo` for the path. */
export function requestPermission(
  { method, path, query }: PermissionRequest,
  info: RequestInfo | undefined,
): Permission {
  if (info === undefined) return { url: path, verb: method.toLowerCase() };
  const { verb, group, resource, subresource, name = selectedName(verb, query) } = info;
  // A request on a namespace object is a request in that namespace.
  const namespace = info.namespace ?? (group === '' && resource === 'namespaces' ? name : undefined);
  return {
    group,
    // Only the first segment is the subresource; later segments are parameters of the subresource.
    resource: subresource === undefined ? resource : `${resource}/${subresource.split('/')[0]}`,
    verb: verb === 'none' ? '' : verb,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

/** Returns the object name that the field selector of a list or watch requires, or undefined if the selector does not require a name. */
function selectedName(verb: RequestInfo['verb'], query: URLSearchParams): string | undefined {
  if (verb !== 'list' && verb !== 'watch') return undefined;
  for (const requirement of (query.get('fieldSelector') ?? '').split(',')) {
    const name = /^metadata\.name==?([^=!][^/%]*)$/.exec(requirement.trim())?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
