import { covers, isAllowed, type OperatorPermissions, type Permission, widestOf } from '@kubewright/api/rbac';
import type { PolicyRule } from '@kubewright/api/rbac/v1';

/** A comparison of the requests of managers with the roles that are derived from their declarations. */
export interface PermissionsReport {
  /** All needed permissions, sorted. Omits permissions that every user has, such as discovery. */
  readonly used: readonly Permission[];
  /** The needed permissions that the roles lack. */
  readonly missing: readonly Permission[];
  /** The permissions of the roles that no request needed. */
  readonly unused: readonly Permission[];
}

/** The permissions of every user: the roles `system:discovery` and `system:basic-user` of Kubernetes. */
const EVERY_USER: readonly PolicyRule[] = [
  { nonResourceURLs: ['/api*', '/openapi*', '/version*', '/healthz*', '/livez*', '/readyz*'], verbs: ['get'] },
  {
    apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'],
    verbs: ['create'],
  },
];

/** Returns all permissions as one list. Sets the namespace of permissions in the operator's own namespace. */
export function listedPermissions(
  { cluster, namespaced, own }: OperatorPermissions,
  ownNamespace: string,
): readonly Permission[] {
  return [...cluster, ...namespaced, ...own.map((permission) => ({ ...permission, namespace: ownNamespace }))];
}

/** Reports whether the granted permissions, or the permissions of every user, allow a request. */
export function suffices(granted: readonly Permission[], needed: Permission): boolean {
  return granted.some((permission) => covers(permission, needed)) || isAllowed(EVERY_USER, needed);
}

/** Returns the report on several managers, with the granted and needed permissions of each. */
export function reportOn(
  managers: readonly { readonly granted: readonly Permission[]; readonly needed: readonly Permission[] }[],
): PermissionsReport {
  const needed = managers
    .flatMap((manager) => manager.needed)
    .filter((permission) => !isAllowed(EVERY_USER, permission));
  const missing = managers.flatMap(({ granted, needed: all }) =>
    all.filter((permission) => !suffices(granted, permission)),
  );
  const granted = widestOf(managers.flatMap((manager) => manager.granted));
  return {
    used: widestOf(needed.map(onAll)),
    missing: widestOf(missing.map(onAll)),
    unused: granted.filter((permission) => !needed.some((one) => covers(permission, one))),
  };
}

/** Returns the permission without an object name, because roles contain names only if the declaration specifies them. */
function onAll(permission: Permission): Permission {
  if ('url' in permission) return permission;
  const { name: _name, ...all } = permission;
  return all;
}
