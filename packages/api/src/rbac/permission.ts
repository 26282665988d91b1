/** A permission: a verb on a resource or on a non-resource URL. */
export type Permission = ResourcePermission | UrlPermission;

/** A verb on a resource. `*` matches all groups, resources or verbs. */
export interface ResourcePermission {
  /** The API group. Empty for the core group. */
  readonly group: string;
  /**
   * `pods` or `pods/status`; `*` for every resource with its subresources; an asterisk followed by `/status` for this subresource of every
   * resource.
   */
  readonly resource: string;
  readonly verb: string;
  /** The name of a single object. @default every object, and the collection */
  readonly name?: string;
  /** The namespace of the permission. @default every namespace where the role is bound, and the cluster */
  readonly namespace?: string;
}

/** A lower-case HTTP verb on a path such as `/metrics`. A path that ends in `*` matches all paths with that prefix. */
export interface UrlPermission {
  readonly url: string;
  readonly verb: string;
}

/** Whether a permission is for a non-resource URL. */
export function isUrlPermission(permission: Permission): permission is UrlPermission {
  return 'url' in permission;
}

/** Returns a readable description of a permission: `patch pods/status of apps "web" in namespace "shop"`. */
export function permissionText(permission: Permission): string {
  if (isUrlPermission(permission)) return `${permission.verb} ${permission.url}`;
  const { verb, group, resource, name, namespace } = permission;
  const of = group === '' ? '' : ` of ${group}`;
  const named = name === undefined ? '' : ` ${JSON.stringify(name)}`;
  return `${verb} ${resource}${of}${named}${namespace === undefined ? '' : ` in namespace ${JSON.stringify(namespace)}`}`;
}

/** Returns the unique sort key of a permission: namespace, group, resource, name, verb. URLs sort last. */
export function permissionKey(permission: Permission): string {
  if (isUrlPermission(permission)) return JSON.stringify(['~', permission.url, permission.verb]);
  const { namespace, group, resource, name, verb } = permission;
  return JSON.stringify([namespace ?? '', group, resource, name === undefined ? '' : `=${name}`, verb]);
}
