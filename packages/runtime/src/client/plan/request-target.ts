/** The group, version, resource and object that the path of a request refers to. */
export interface RequestTarget {
  /** The API group. Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace?: string;
  /** The name of the object. Undefined if the path refers to a collection. */
  readonly name?: string;
  readonly subresource?: string;
}

/** The subresources of a Namespace. After the name of a namespace, any other path segment is a resource in the namespace. */
const OF_NAMESPACES = ['status', 'finalize'];

/**
 * Parses a path such as `/apis/apps/v1/namespaces/default/deployments/web/status`. Returns undefined for a path that does not refer to API
 * objects.
 */
export function requestTarget(path: string): RequestTarget | undefined {
  const [root, ...segments] = path.split('/').slice(1).map(decodeURIComponent);
  const [group, version] = root === 'api' ? ['', segments.shift()] : [segments.shift(), segments.shift()];
  if ((root !== 'api' && root !== 'apis') || group === undefined || version === undefined) return undefined;
  const isWithin = segments[0] === 'namespaces' && segments.length > 2 && !OF_NAMESPACES.includes(segments[2] ?? '');
  const [, namespace] = isWithin ? segments.splice(0, 2) : [];
  const [plural, name, ...subresource] = segments;
  if (plural === undefined || plural === '') return undefined;
  return {
    group,
    version,
    plural,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(subresource.length > 0 && { subresource: subresource.join('/') }),
  };
}

/** Returns the path of an object, without a subresource. By default, uses the name in `target`. */
export function objectPathOf(target: RequestTarget, name = target.name ?? ''): string {
  const { group, version, namespace, plural } = target;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${plural}/${encodeURIComponent(name)}`;
}
