import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { JsonObject } from '../../objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../objects/json-object.js';

const parts = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;

/**
 * Returns the rules of all other ClusterRoles that the aggregationRule of a ClusterRole selects. Each rule occurs once. The rules are in
 * the order of the selectors, and within a selector in the order of the names of the roles.
 */
export function aggregatedRules(role: JsonObject, all: readonly JsonObject[]): readonly JsonObject[] {
  const rules = new Map<string, JsonObject>();
  const own = stringAt(role, 'metadata', 'name');
  const others = all.filter((other) => stringAt(other, 'metadata', 'name') !== own).toSorted(byName);
  for (const selector of objectsAt(role, 'aggregationRule', 'clusterRoleSelectors')) {
    const selected = labelSelectorFromObject(selector);
    for (const other of others) {
      if (!selected.matches(objectAt(other, 'metadata', 'labels') as Record<string, string>)) continue;
      for (const rule of objectsAt(other, 'rules')) {
        const key = JSON.stringify(parts.map((part) => rule[part]));
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

function byName(a: JsonObject, b: JsonObject): number {
  const [left, right] = [stringAt(a, 'metadata', 'name'), stringAt(b, 'metadata', 'name')];
  return left < right ? -1 : Number(left > right);
}
