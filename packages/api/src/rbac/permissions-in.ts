import type { PolicyRule } from '../generated/rbac/v1.js';
import type { Permission } from './permission.js';

/** Returns the permissions in RBAC rules: one per verb, group, resource and object name, and one per verb and URL. `*` is not expanded. */
export function permissionsIn(rules: readonly PolicyRule[]): readonly Permission[] {
  return rules.flatMap((rule) => [...resourcePermissions(rule), ...urlPermissions(rule)]);
}

function resourcePermissions({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  verbs,
}: PolicyRule): readonly Permission[] {
  const named = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ name }));
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => named.flatMap((name) => verbs.map((verb) => ({ group, resource, verb, ...name })))),
  );
}
function urlPermissions({ nonResourceURLs = [], verbs }: PolicyRule): readonly Permission[] {
  return nonResourceURLs.flatMap((url) => verbs.map((verb) => ({ url, verb })));
}
