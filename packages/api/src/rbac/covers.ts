import { isUrlPermission, type Permission, permissionKey } from './permission.js';
import { resourceMatches, urlMatches } from './rule-allows.js';

/** Whether the wide permission includes everything that the narrow permission allows. */
export function covers(wide: Permission, narrow: Permission): boolean {
  if (wide.verb !== '*' && wide.verb !== narrow.verb) return false;
  if (isUrlPermission(wide)) return isUrlPermission(narrow) && urlMatches(wide.url, narrow.url);
  return (
    !isUrlPermission(narrow) &&
    (wide.group === '*' || wide.group === narrow.group) &&
    resourceMatches(wide.resource, narrow.resource) &&
    (wide.name === undefined || wide.name === narrow.name) &&
    (wide.namespace === undefined || wide.namespace === narrow.namespace)
  );
}

/** Returns the permissions that no other permission covers, sorted and without duplicates. */
export function widestOf(permissions: Iterable<Permission>): readonly Permission[] {
  const byKey = new Map([...permissions].map((permission) => [permissionKey(permission), permission]));
  const sorted = [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? []);
  // If two permissions cover each other, the first is kept.
  return sorted.filter(
    (permission, at) =>
      !sorted.some(
        (other, before) => at !== before && covers(other, permission) && (before < at || !covers(permission, other)),
      ),
  );
}
