import type { Right } from '@kubewright/api/rbac';
import type { RequestInfo } from '../request-info.js';

/** A request as far as it matters for what may be done. */
export interface RightRequest {
  readonly method: string;
  /** Decoded, and without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The right that a request needs, as the authorizer is asked for it; `info` is what `requestInfo` reads from its path. */
export function requestRight({ method, path, query }: RightRequest, info: RequestInfo | undefined): Right {
  if (info === undefined) return { url: path, verb: method.toLowerCase() };
  const { verb, group, resource, subresource, name = selectedName(verb, query) } = info;
  // A namespace is in itself.
  const namespace = info.namespace ?? (group === '' && resource === 'namespaces' ? name : undefined);
  return {
    group,
    // Only the first part is a subresource; what follows is for it to read.
    resource: subresource === undefined ? resource : `${resource}/${subresource.split('/')[0]}`,
    verb: verb === 'none' ? '' : verb,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
  };
}

/** The only object that a list or watch asks for, by its field selector. */
function selectedName(verb: RequestInfo['verb'], query: URLSearchParams): string | undefined {
  if (verb !== 'list' && verb !== 'watch') return undefined;
  for (const requirement of (query.get('fieldSelector') ?? '').split(',')) {
    const name = /^metadata\.name==?([^=!][^/%]*)$/.exec(requirement.trim())?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
