import type { PolicyRule } from './policy-rule.js';
import { pathMatches } from './policy-rule.js';

/** The parts of `wanted` that `held` does not allow, each with one verb on one thing; none when everything is covered. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(brokenDown).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** The rules as refusals show them: verbs on the same resource together, one rule a line, in the order of their text. */
export function describedRules(rules: readonly PolicyRule[]): string {
  return [...new Set(compacted(rules).map(described))].toSorted(byCodePoint).join('\n');
}

function brokenDown(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
          nonResourceURLs: [],
        })),
      ),
    ),
  );
  const onPaths = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [url],
    })),
  );
  return [...onResources, ...onPaths];
}

/** Whether one rule allows all of a broken down one. */
function covers(held: PolicyRule, part: PolicyRule): boolean {
  return (
    (held.verbs.includes('*') || hasAll(held.verbs, part.verbs)) &&
    (held.apiGroups.includes('*') || hasAll(held.apiGroups, part.apiGroups)) &&
    part.resources.every((resource) => coversResource(held.resources, resource)) &&
    part.nonResourceURLs.every((path) => held.nonResourceURLs.some((url) => pathMatches(url, path))) &&
    coversNames(held.resourceNames, part.resourceNames)
  );
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes('*') || held.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*/${resource.slice(slash + 1)}`);
}

function coversNames(held: readonly string[], part: readonly string[]): boolean {
  return held.length === 0 || (part.length > 0 && hasAll(held, part));
}

function hasAll(set: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((each) => set.includes(each));
}

function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const byResource = new Map<string, PolicyRule>();
  const others: PolicyRule[] = [];
  for (const rule of rules) {
    if (rule.nonResourceURLs.length > 0) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = byResource.get(key);
    byResource.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...others, ...byResource.values()];
}

function described(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = parts.filter(([, values]) => values.length > 0).map(([name, values]) => `${name}:${quoted(values)}`);
  return `{${shown.join(', ')}}`;
}

/** A list of texts as refusals show it. */
export function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
