import { parseJson } from '@kubewright/api/json';
import type { ResourcePermission, Permission } from '@kubewright/api/rbac';

const group = 'rbac.authorization.k8s.io';
const BINDINGS: readonly string[] = ['rolebindings', 'clusterrolebindings'];
const ROLES: readonly string[] = ['roles', 'clusterroles'];

/**
 * Returns the permission that RBAC requires of a caller who grants permissions that the caller does not have: `bind` on the role of a
 * binding, or `escalate` on a role. Returns undefined if the request does not write a role or a binding.
 */
export function givenPermission(permission: Permission, body: string | undefined): ResourcePermission | undefined {
  if ('url' in permission || permission.group !== group || body === undefined) return undefined;
  const { resource, namespace } = permission;
  const { metadata, roleRef } = parseJson(body) as WrittenRole;
  const within = namespace !== undefined && { namespace };
  if (ROLES.includes(resource)) return { group, resource, verb: 'escalate', ...named(metadata?.name), ...within };
  if (!BINDINGS.includes(resource) || roleRef === undefined) return undefined;
  return { group, resource: `${roleRef.kind.toLowerCase()}s`, verb: 'bind', ...named(roleRef.name), ...within };
}

/** The relevant fields of a role or a binding. A patch may omit them. */
interface WrittenRole {
  readonly metadata?: { readonly name?: string };
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}
