import type { PolicyRule } from '../generated/rbac/v1.js';
import type { Right } from './right.js';

/** Returns the permissions in RBAC rules: one per verb, group, resource and object name, and one per verb and URL. `*` is not expanded. */
export function rightsIn(rules: readonly PolicyRule[]): readonly Right[] {
  return rules.flatMap((rule) => [...resourceRights(rule), ...urlRights(rule)]);
}

function resourceRights({ apiGroups = [], resources = [], resourceNames = [], verbs }: PolicyRule): readonly Right[] {
  const named = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ name }));
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => named.flatMap((name) => verbs.map((verb) => ({ group, resource, verb, ...name })))),
  );
}
function urlRights({ nonResourceURLs = [], verbs }: PolicyRule): readonly Right[] {
  return nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ url, verb })));
}
