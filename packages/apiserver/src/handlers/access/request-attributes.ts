import type { Attributes } from '../../authorization/attributes.js';
import type { ApiRequest } from '../api-request.js';
import type { RequestInfo } from '../request-info.js';

/** What a request wants to do, as the authorizer is asked. */
export function requestAttributes(
  { method, path, query, user }: Pick<ApiRequest, 'method' | 'path' | 'query' | 'user'>,
  info: RequestInfo | undefined,
): Attributes {
  if (info === undefined) return { kind: 'path', user, verb: method.toLowerCase(), path: decoded(path) };
  const { verb, group, resource, subresource = '', namespace, name } = info;
  return {
    kind: 'resource',
    user,
    verb: verb === 'none' ? '' : verb,
    group,
    resource,
    // Only the first part is a subresource; what follows is for it to read.
    subresource: subresource.split('/')[0] ?? '',
    // A namespace is in itself.
    namespace: namespace ?? (group === '' && resource === 'namespaces' ? (name ?? '') : ''),
    name: name ?? selectedName(verb, query),
  };
}

/** The only object that a list or watch asks for, by its field selector. */
function selectedName(verb: RequestInfo['verb'], query: URLSearchParams): string {
  if (verb !== 'list' && verb !== 'watch') return '';
  for (const requirement of (query.get('fieldSelector') ?? '').split(',')) {
    const name = /^metadata\.name==?([^=!][^/%]*)$/.exec(requirement.trim())?.[1];
    if (name !== undefined) return name;
  }
  return '';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}
