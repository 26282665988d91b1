import { parseJson } from '@kubewright/api/json';
import type { ResourceRight, Right } from '@kubewright/api/rbac';

const group = 'rbac.authorization.k8s.io';
const BINDINGS: readonly string[] = ['rolebindings', 'clusterrolebindings'];
const ROLES: readonly string[] = ['roles', 'clusterroles'];

/**
 * The right by which a request may give others more than who makes it has: `bind` of the role that a binding names, or `escalate` of a
 * role. Undefined for every other request.
 */
export function givenRight(right: Right, body: string | undefined): ResourceRight | undefined {
  if ('url' in right || right.group !== group || body === undefined) return undefined;
  const { resource, namespace } = right;
  const { metadata, roleRef } = parseJson(body) as WrittenRole;
  const within = namespace !== undefined && { namespace };
  if (ROLES.includes(resource)) return { group, resource, verb: 'escalate', ...named(metadata?.name), ...within };
  if (!BINDINGS.includes(resource) || roleRef === undefined) return undefined;
  return { group, resource: `${roleRef.kind.toLowerCase()}s`, verb: 'bind', ...named(roleRef.name), ...within };
}

/** What of a role or a binding is asked about; a patch need not have it. */
interface WrittenRole {
  readonly metadata?: { readonly name?: string };
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}
