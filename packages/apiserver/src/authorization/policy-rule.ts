import { type JsonObject, objectsAt } from '../registry/json-object.js';
import type { Attributes } from './attributes.js';

/** A rule of a Role or ClusterRole; lists that are unset are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: strings(rule['verbs']),
    apiGroups: strings(rule['apiGroups']),
    resources: strings(rule['resources']),
    resourceNames: strings(rule['resourceNames']),
    nonResourceURLs: strings(rule['nonResourceURLs']),
  }));
}

/** Whether the rule lets its subjects do what is asked for. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!anyOrOneOf(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === 'path') return rule.nonResourceURLs.some((url) => pathMatches(url, attributes.path));
  return (
    anyOrOneOf(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources, attributes) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/** Whether a path of a rule, which may end in '*', stands for the path. */
export function pathMatches(rulePath: string, path: string): boolean {
  if (rulePath === path) return true;
  return rulePath.endsWith('*') && path.startsWith(rulePath.replace(/\*+$/, ''));
}

function resourceMatches(
  resources: readonly string[],
  { resource, subresource }: { readonly resource: string; readonly subresource: string },
): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) => each === '*' || each === combined || (subresource !== '' && each === `*/${subresource}`),
  );
}

function anyOrOneOf(allowed: readonly string[], asked: string): boolean {
  return allowed.includes('*') || allowed.includes(asked);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
