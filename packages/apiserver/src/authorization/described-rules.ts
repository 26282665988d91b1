import type { PolicyRule } from './policy-rule.js';

/** Returns one line for each rule, in the format of refusals. Combines verbs on the same resource, and sorts the lines. */
export function describedRules(rules: readonly PolicyRule[]): readonly string[] {
  return [...new Set(compacted(rules).map(described))].toSorted(byCodePoint);
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

/** Formats a list of texts for refusals. */
export function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
