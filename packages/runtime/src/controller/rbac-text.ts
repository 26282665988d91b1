import { ApiError, type Status } from '@kubewright/api/errors';
import type { Right } from '@kubewright/api/rbac';

/** The parts of a decorator in addition to the resource. */
interface RbacWords {
  readonly verbs: readonly string[];
  /** The class name of the kind, if known. */
  readonly kind?: string | undefined;
  /** The names of single objects. @default all */
  readonly names?: readonly string[];
}

/** Returns the source text of the decorator that grants a permission with these verbs. */
export function rbacText(right: Right, { verbs, kind, names = [] }: RbacWords): string {
  if ('url' in right) return `@Rbac({ urls: ${listText([right.url])}, verbs: ${listText(verbs)} })`;
  const { group, resource } = right;
  const named = names.length === 0 ? '' : `, names: ${listText(names)}`;
  if (kind === undefined) {
    return `@Rbac({ groups: ${listText([group])}, resources: ${listText([resource])}, verbs: ${listText(verbs)}${named} })`;
  }
  const [, subresource] = resource.split('/');
  const part = subresource === undefined ? '' : ` subresource: '${subresource}',`;
  return `@Rbac({ kind: ${kind},${part} verbs: ${listText(verbs)}${named} })`;
}

/** Whether the server refused a request because it would grant permissions that the client does not have. */
export function isEscalation(message: string): boolean {
  return message.includes('attempting to grant RBAC permissions not currently held');
}

/**
 * Returns the decorator that grants the permission that an error, or one of its causes, reports as missing. Returns undefined if no error
 * in the chain is about permissions.
 */
export function rbacCure(error: unknown): string | undefined {
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
  const right = forbiddenRight(message);
  return right && rbacText(right, { verbs: [right.verb] });
}

/**
 * Returns the decorator for a refused escalation. A binding needs `bind` on its role, whose name the response does not contain. A role
 * needs `escalate`.
 */
function escalationText(resource: string): string {
  const binds = resource.endsWith('bindings');
  const right = { group: 'rbac.authorization.k8s.io', resource: binds ? 'clusterroles' : resource };
  return binds
    ? `${rbacText({ ...right, verb: 'bind' }, { verbs: ['bind'], names: ['…'] })}, with the names of the roles that it grants to others,`
    : rbacText({ ...right, verb: 'escalate' }, { verbs: ['escalate'] });
}

/** Returns the permission that the RBAC authorizer reports as missing; undefined if admission refused the request. */
function forbiddenRight(message: string): Right | undefined {
  const onResource = /cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"/.exec(message);
  const { verb, resource, group } = onResource?.groups ?? {};
  if (verb !== undefined && resource !== undefined && group !== undefined) return { group, resource, verb };
  const [, method, url] = /cannot (\S+) path "([^"]+)"/.exec(message) ?? [];
  return method === undefined || url === undefined ? undefined : { url, verb: method };
}
function listText(values: readonly string[]): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}]`;
}
