import type { Permission } from '@kubewright/api/rbac';
import type { User } from '../registry/requests/user.js';

/** A requested action on a resource. */
export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** The subresource; '' for the resource itself. */
  readonly subresource: string;
  /** The namespace; '' for the cluster scope and for all namespaces. */
  readonly namespace: string;
  /** The name of the object; '' if the request does not name an object. */
  readonly name: string;
  /** The field selector of the request. @default none */
  readonly fieldSelector?: string;
}

/** A requested action on a path that is not a resource. */
export interface PathAttributes {
  readonly kind: 'path';
  readonly user: User;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** One request to the authorizer. */
export type Attributes = ResourceAttributes | PathAttributes;

/** Returns the attributes with which the authorizer decides whether the user has the permission. */
export function attributesOf(user: User, permission: Permission): Attributes {
  if ('url' in permission) return { kind: 'path', user, verb: permission.verb, path: permission.url };
  const { verb, group, resource: whole, namespace = '', name = '' } = permission;
  const [resource = '', subresource = ''] = whole.split('/');
  return { kind: 'resource', user, verb, group, resource, subresource, namespace, name };
}

/** Returns the permission that the attributes require. */
export function permissionOf(attributes: Attributes): Permission {
  if (attributes.kind === 'path') return { url: attributes.path, verb: attributes.verb };
  const { group, resource, subresource, verb, name } = attributes;
  return { group, resource: subresource === '' ? resource : `${resource}/${subresource}`, verb, name };
}
