import type { Right } from '@kubewright/api/rbac';
import type { User } from '../registry/user.js';

/** What somebody wants to do with a resource. */
export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly user: User;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for the cluster scope and for all namespaces. */
  readonly namespace: string;
  /** '' where no single object is named. */
  readonly name: string;
}

/** What somebody wants to do with a path that is no resource. */
export interface PathAttributes {
  readonly kind: 'path';
  readonly user: User;
  /** The HTTP method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** One question to the authorizer. */
export type Attributes = ResourceAttributes | PathAttributes;

/** The question whether a user has a right. */
export function attributesOf(user: User, right: Right): Attributes {
  if ('url' in right) return { kind: 'path', user, verb: right.verb, path: right.url };
  const { verb, group, resource: whole, namespace = '', name = '' } = right;
  const [resource = '', subresource = ''] = whole.split('/');
  return { kind: 'resource', user, verb, group, resource, subresource, namespace, name };
}

/** The right that is asked for. */
export function rightOf(attributes: Attributes): Right {
  if (attributes.kind === 'path') return { url: attributes.path, verb: attributes.verb };
  const { group, resource, subresource, verb, name } = attributes;
  return { group, resource: subresource === '' ? resource : `${resource}/${subresource}`, verb, name };
}
