/**
 * The attributes of a request on a resource. Like a kube-apiserver, the server derives the attributes from the method, the path and the
 * query.
 */
export interface RequestInfo {
  readonly verb: 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'none';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  /** The path after the subresource `proxy`, with a slash at its beginning. Absent if no path follows. */
  readonly proxyPath?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The subresources whose requests last as long as their connection. */
const connections: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Returns whether the time limits of requests do not apply to a request: a watch, or a connection to a Pod, Service or Node. */
export function isLongRunning(info: RequestInfo | undefined): boolean {
  return info !== undefined && (info.verb === 'watch' || isConnection(info));
}

/** Returns whether a request opens a connection to a Pod, Service or Node. */
export function isConnection({ subresource }: RequestInfo): boolean {
  return subresource !== undefined && connections.has(firstSegment(subresource));
}

/** Returns the name of a subresource without the path that follows the name: `proxy` for `proxy/a/b`. */
export function firstSegment(subresource: string): string {
  return subresource.split('/', 1)[0] ?? '';
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

/**
 * Returns the attributes of a request on a resource, or undefined if the path does not contain a resource. An example of a decoded path is
 * /apis/apps/v1/namespaces/a/deployments/b/scale.
 */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo | undefined {
  const parts = pathParts(path);
  const legacy = parts[0] === 'api';
  if (!legacy && parts[0] !== 'apis') return undefined;
  const [group, version] = legacy ? ['', parts[1]] : [parts[1], parts[2]];
  let rest = parts.slice(legacy ? 2 : 3);
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  const watchPath = rest[0] === 'watch' && rest.length > 1;
  if (watchPath) rest = rest.slice(1);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest[2] !== undefined && !namespaceSubresources.has(rest[2])) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const [resource, name, ...subresource] = rest;
  if (resource === undefined) return undefined;
  return {
    verb: watchPath ? 'watch' : verbOf(method, name, query),
    group,
    version,
    resource,
    ...(namespace ? { namespace } : {}),
    ...(name === undefined ? {} : { name }),
    ...subresourceIn(subresource, path),
  };
}

/** The path of a proxied request is not part of its subresource, and keeps a slash at its end. */
function subresourceIn(segments: readonly string[], path: string): Pick<RequestInfo, 'subresource' | 'proxyPath'> {
  const [first, ...rest] = segments;
  if (first === undefined) return {};
  if (first !== 'proxy') return { subresource: segments.join('/') };
  const proxyPath = `${rest.length === 0 ? '' : `/${rest.join('/')}`}${path.endsWith('/') ? '/' : ''}`;
  return { subresource: first, ...(proxyPath === '' ? {} : { proxyPath }) };
}

function verbOf(method: string, name: string | undefined, query: URLSearchParams): RequestInfo['verb'] {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (name) return 'get';
      return isTrue(query.get('watch')) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name ? 'delete' : 'deletecollection';
    default:
      return 'none';
  }
}

/** Returns whether a query value means true: present and neither '0' nor 'false'. */
export function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

/** Returns the segments of a path. Ignores slashes at the beginning and the end. */
export function pathParts(path: string): readonly string[] {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end).split('/');
}
