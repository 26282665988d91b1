import { ApiError } from '@kubewright/api/errors';
import type { Right } from '@kubewright/api/rbac';

/** The decorator that gives a right with these verbs, as it is written; with the name that a kind has in code, where that is known. */
export function rbacText(
  right: Right,
  { verbs, kind }: { readonly verbs: readonly string[]; readonly kind?: string | undefined },
): string {
  if ('url' in right) return `@Rbac({ urls: ${listText([right.url])}, verbs: ${listText(verbs)} })`;
  const { group, resource } = right;
  if (kind === undefined) {
    return `@Rbac({ groups: ${listText([group])}, resources: ${listText([resource])}, verbs: ${listText(verbs)} })`;
  }
  const [, subresource] = resource.split('/');
  const part = subresource === undefined ? '' : ` subresource: '${subresource}',`;
  return `@Rbac({ kind: ${kind},${part} verbs: ${listText(verbs)} })`;
}

/** What to write so that what a server forbade is allowed, wherever it is in the causes of an error; undefined where it is not about rights. */
export function rbacCure(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const right = at instanceof ApiError && at.status === 403 ? forbiddenRight(at.body.message ?? '') : undefined;
    if (right !== undefined) {
      return `write ${rbacText(right, { verbs: [right.verb] })} above the class of the controller and generate its roles anew`;
    }
  }
  return undefined;
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
