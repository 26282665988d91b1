import { KubewrightError } from '@kubewright/api/errors';

/** Where objects of a kind are served. */
export interface ResourceInfo {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether it is a kind of Kubernetes itself. @default false */
  readonly builtIn?: boolean;
}

/** One object, or a collection of them, in a path. */
export interface ResourceLocation {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of a collection, an object or a subresource. Throws INVALID_NAME for a name that could not stand in a path, so that an
 * empty name never turns the deletion of one object into that of all.
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
      `'${value}' cannot be the ${what} of a ${info.kind}: it may not be empty, '.' or '..', nor contain '/' or '%'`,
    );
  }
  return encodeURIComponent(value);
}
