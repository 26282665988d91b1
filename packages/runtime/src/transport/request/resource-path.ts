import { KubewrightError } from '@kubewright/api/errors';

/** The resource that serves the objects of a kind. */
export interface ResourceInfo {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the kind is built into Kubernetes. @default false */
  readonly builtIn?: boolean;
}

/** The location of an object or a collection in a path. */
export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of a collection, an object or a subresource. Throws INVALID_NAME if a name is not valid in a path. So an empty name
 * never turns the deletion of an object into the deletion of a collection.
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
