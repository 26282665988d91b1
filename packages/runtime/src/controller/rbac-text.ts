import { ApiError, type Status } from '@kubewright/api/errors';
import type { Right } from '@kubewright/api/rbac';

/** What a decorator says beside the resource. */
interface RbacWords {
  readonly verbs: readonly string[];
  /** The name that the kind has in code, where that is known. */
  readonly kind?: string | undefined;
  /** Of single objects. @default all */
  readonly names?: readonly string[];
}

/** The decorator that gives a right with these verbs, as it is written. */
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

/** Whether a server refused because who asked would have given others what it may not do itself. */
export function isEscalation(message: string): boolean {
  return message.includes('attempting to grant RBAC permissions not currently held');
}

/** What to write so that what a server forbade is allowed, wherever it is in the causes of an error; undefined where it is not about rights. */
export function rbacCure(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const decorator = at instanceof ApiError && at.status === 403 ? decoratorFor(at.body) : undefined;
    if (decorator !== undefined) {
      return `write ${decorator} above the class of the controller and generate its roles anew`;
    }
  }
  return undefined;
}

function decoratorFor({ message = '', details }: Status): string | undefined {
  if (isEscalation(message)) return escalationText(details?.kind ?? '');
  const right = forbiddenRight(message);
  return right && rbacText(right, { verbs: [right.verb] });
}

/** A binding needs to bind the role that it names, and the answer does not say which that is; a role of its own needs to escalate. */
function escalationText(resource: string): string {
  const binds = resource.endsWith('bindings');
  const right = { group: 'rbac.authorization.k8s.io', resource: binds ? 'clusterroles' : resource };
  return binds
    ? `${rbacText({ ...right, verb: 'bind' }, { verbs: ['bind'], names: ['…'] })}, with the names of the roles that it gives to others,`
    : rbacText({ ...right, verb: 'escalate' }, { verbs: ['escalate'] });
}

/** The right that a server misses, as its authorizer says it by RBAC; undefined where admission forbade something. */
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
