import { inspect } from 'node:util';
import type { KindRef } from '@kubewright/api';
import { messageOf } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';

/** Returns what is wrong with a rule of `@Rbac`, as a sentence with the fix; undefined if the rule is valid. */
export function rbacMistake(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) {
    return `${inspect(rule)} is no rule: write { kind: Node, verbs: ['get'] }`;
  }
  const { kind, groups, resources, urls, verbs, names, namespaces } = rule as Readonly<Record<string, unknown>>;
  if (!isList(verbs)) return `verbs is ${inspect(verbs)}: write at least one, such as ['get']`;
  const forms = ['kind', 'resources', 'urls'].filter((form) => form in rule);
  if (forms.length !== 1) {
    return 'it names nothing, or too much: write either kind, or groups and resources, or urls';
  }
  if (names !== undefined && !isList(names)) return `names is ${inspect(names)}: leave it out for all objects`;
  if (namespaces !== undefined && namespaces !== 'own' && !isList(namespaces)) {
    return `namespaces is ${inspect(namespaces)}: write names, or 'own', or leave it out`;
  }
  if ('kind' in rule) return kindMistake(kind);
  if (urls !== undefined) {
    const isFine = isList(urls) && urls.every((url) => url.startsWith('/') || url === '*');
    return isFine ? undefined : `urls is ${inspect(urls)}: write paths, such as ['/metrics']`;
  }
  if (!isList(groups) || !isList(resources)) {
    return "groups and resources must both be lists with something in them; the core group is ''";
  }
  return groups.includes('core') ? "there is no group 'core': the core group is ''" : undefined;
}

function kindMistake(kind: unknown): string | undefined {
  try {
    kindOf(kind as KindRef);
    return undefined;
  } catch (error) {
    return `kind is none: ${messageOf(error)}${kind === undefined ? ' (does its module import this one, in a circle?)' : ''}`;
  }
}
function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}
