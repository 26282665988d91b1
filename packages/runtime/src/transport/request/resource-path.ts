import { KubewrightError } from '@kubewright/api/errors';

/** The API resource of a kind, with the names that identify the resource in the path of a request. */
export interface ResourceInfo {
  /** The API group. Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the kind is built into Kubernetes. @default false */
  readonly builtIn?: boolean;
}

/** The object, the collection or the subresource to which a path refers. */
export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of a collection, an object or a subresource. Ignores the namespace if the kind is cluster-scoped. Throws INVALID_NAME if
 * the namespace or the name is not valid in a path. An empty name is also rejected; otherwise, the deletion of an object could become the
 * deletion of a collection.
 */
export function resourcePath(info: ResourceInfo, location: ResourceLocation = {}): string {
  let path = info.group === '' ? `/api/${info.version}` : `/apis/${info.group}/${info.version}`;
  if (info.namespaced && location.namespace !== undefined) {
    path += `/namespaces/${segment(info, 'namespace', location.namespace)}`;
  }
  path += `/${info.plural}`;
  if (location.name !== undefined) path += `/${segment(info, 'name', location.name)}`;
  if (location.subresource !== undefined) path += `/${location.subresource}`;
  return path;
}

function segment(info: ResourceInfo, what: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/') || value.includes('%')) {
    throw new KubewrightError(
      'INVALID_NAME',
      `'${value}' is not a valid ${what} of a ${info.kind}: it must not be empty, '.' or '..', or contain '/' or '%'`,
    );
  }
  return encodeURIComponent(value);
}
