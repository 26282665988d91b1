import { ApiError, type Status } from '@kubewright/api/errors';
import type { Permission } from '@kubewright/api/rbac';

/** The fields of an `@Rbac` rule that a permission does not contain. */
interface RbacWords {
  readonly verbs: readonly string[];
  /** The class name of the kind, if known. */
  readonly kind?: string | undefined;
  /** The names to which the rule is restricted. @default all */
  readonly names?: readonly string[];
}

/** Returns the source code of the `@Rbac` decorator that grants a permission with the given verbs. */
export function rbacText(permission: Permission, { verbs, kind, names = [] }: RbacWords): string {
  if ('url' in permission) return `@Rbac({ urls: ${listText([permission.url])}, verbs: ${listText(verbs)} })`;
  const { group, resource } = permission;
  const named = names.length === 0 ? '' : `, names: ${listText(names)}`;
  if (kind === undefined) {
    return `@Rbac({ groups: ${listText([group])}, resources: ${listText([resource])}, verbs: ${listText(verbs)}${named} })`;
  }
  const [, subresource] = resource.split('/');
  const part = subresource === undefined ? '' : ` subresource: '${subresource}',`;
  return `@Rbac({ kind: ${kind},${part} verbs: ${listText(verbs)}${named} })`;
}

/** Whether an error message reports a privilege escalation: the request would grant permissions that the client does not have itself. */
export function isEscalation(message: string): boolean {
  return message.includes('attempting to grant RBAC permissions not currently held');
}

/**
 * Whether an error message reports that the authorizer refused the request. Returns false for the message of another refusal, for example
 * by a quota or an admission webhook.
 */
export function isUnauthorized(message: string): boolean {
  return /\bcannot \S+ (?:resource|path) \\?"/.test(message);
}

/**
 * Returns advice to add the decorator that grants the missing permission. Finds the permission in the error or in one of its causes.
 * Returns undefined if no permission is missing.
 */
export function rbacRemedy(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const decorator = at instanceof ApiError && at.status === 403 ? decoratorFor(at.body) : undefined;
    if (decorator !== undefined) {
      return `add ${decorator} to the controller class and generate its roles again`;
    }
  }
  return undefined;
}

function decoratorFor({ message = '', details }: Status): string | undefined {
  if (isEscalation(message)) return escalationText(details?.kind ?? '');
  const permission = forbiddenPermission(message);
  return permission && rbacText(permission, { verbs: [permission.verb] });
}

/**
 * Returns the decorator for a refused privilege escalation. To write a binding, a client needs `bind` on the bound role. The response does
 * not contain the name of this role, so the text contains '…'. To write a role, a client needs `escalate`.
 */
function escalationText(resource: string): string {
  const binds = resource.endsWith('bindings');
  const permission = { group: 'rbac.authorization.k8s.io', resource: binds ? 'clusterroles' : resource };
  return binds
    ? `${rbacText({ ...permission, verb: 'bind' }, { verbs: ['bind'], names: ['…'] })}, with the names of the roles that the controller binds,`
    : rbacText({ ...permission, verb: 'escalate' }, { verbs: ['escalate'] });
}

/**
 * Returns the permission that is missing according to a message of the RBAC authorizer. Returns undefined for other messages, such as a
 * rejection by admission.
 */
function forbiddenPermission(message: string): Permission | undefined {
  const onResource = /cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"/.exec(message);
  const { verb, resource, group } = onResource?.groups ?? {};
  if (verb !== undefined && resource !== undefined && group !== undefined) return { group, resource, verb };
  const [, method, url] = /cannot (\S+) path "([^"]+)"/.exec(message) ?? [];
  return method === undefined || url === undefined ? undefined : { url, verb: method };
}
function listText(values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}]`;
}
