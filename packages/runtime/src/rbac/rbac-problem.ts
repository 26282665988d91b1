import { inspect } from 'node:util';
import type { KindRef } from '@kubewright/api';
import { messageOf } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';

/** Returns the problem of an `@Rbac` rule, as a sentence with the fix. Returns undefined if the rule is valid. */
export function rbacProblem(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) {
    return `${inspect(rule)} is not a rule: use { kind: Node, verbs: ['get'] }`;
  }
  const { kind, groups, resources, urls, verbs, names, namespaces } = rule as Readonly<Record<string, unknown>>;
  if (!isList(verbs)) return `verbs is ${inspect(verbs)}: list at least one verb, such as ['get']`;
  const forms = ['kind', 'resources', 'urls'].filter((form) => form in rule);
  if (forms.length !== 1) {
    return 'specify exactly one of: kind, groups and resources, urls';
  }
  if (names !== undefined && !isList(names))
    return `names is ${inspect(names)}: use a non-empty list of names, or omit it for all objects`;
  if (namespaces !== undefined && namespaces !== 'own' && !isList(namespaces)) {
    return `namespaces is ${inspect(namespaces)}: use a non-empty list of names or 'own', or omit it`;
  }
  if ('kind' in rule) return kindProblem(kind);
  if (urls !== undefined) {
    const isFine = isList(urls) && urls.every((url) => url.startsWith('/') || url === '*');
    return isFine ? undefined : `urls is ${inspect(urls)}: use paths, such as ['/metrics']`;
  }
  if (!isList(groups) || !isList(resources)) {
    return "groups and resources must both be non-empty lists; the core group is ''";
  }
  return groups.includes('core') ? "group 'core' does not exist: the core group is ''" : undefined;
}

function kindProblem(kind: unknown): string | undefined {
  try {
    kindOf(kind as KindRef);
    return undefined;
  } catch (error) {
    return `kind is not a valid kind: ${messageOf(error)}${kind === undefined ? ' (is there a circular import between its module and this module?)' : ''}`;
  }
}
function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}
