import { covers, isAllowed, type OperatorRights, type Right, widestOf } from '@kubewright/api/rbac';
import type { PolicyRule } from '@kubewright/api/rbac/v1';

/** A comparison of the requests of managers with the roles that are derived from their declarations. */
export interface RightsReport {
  /** All needed permissions, sorted. Omits permissions of every user, such as discovery. */
  readonly used: readonly Right[];
  /** The needed permissions that the roles lack. */
  readonly missing: readonly Right[];
  /** The permissions of the roles that no request needed. */
  readonly unused: readonly Right[];
}

/** The permissions of every user: the roles `system:discovery` and `system:basic-user` of Kubernetes. */
const EVERYBODY: readonly PolicyRule[] = [
  { nonResourceURLs: ['/api*', '/openapi*', '/version*', '/healthz*', '/livez*', '/readyz*'], verbs: ['get'] },
  {
    apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'],
    verbs: ['create'],
  },
];

/** Returns all permissions as one list. Sets the namespace of permissions in the operator's own namespace. */
export function listedRights({ cluster, namespaced, own }: OperatorRights, ownNamespace: string): readonly Right[] {
  return [...cluster, ...namespaced, ...own.map((right) => ({ ...right, namespace: ownNamespace }))];
}

/** Whether the granted permissions allow a request. */
export function suffices(granted: readonly Right[], needed: Right): boolean {
  return granted.some((right) => covers(right, needed)) || isAllowed(EVERYBODY, needed);
}

/** Returns the report on several managers, with the granted and needed permissions of each. */
export function reportOn(
  managers: readonly { readonly granted: readonly Right[]; readonly needed: readonly Right[] }[],
): RightsReport {
  const needed = managers.flatMap((manager) => manager.needed).filter((right) => !isAllowed(EVERYBODY, right));
  const missing = managers.flatMap(({ granted, needed: all }) => all.filter((right) => !suffices(granted, right)));
  const granted = widestOf(managers.flatMap((manager) => manager.granted));
  return {
    used: widestOf(needed.map(onAll)),
    missing: widestOf(missing.map(onAll)),
    unused: granted.filter((right) => !needed.some((one) => covers(right, one))),
  };
}

/** Returns the permission without an object name, because roles contain names only if the declaration specifies them. */
function onAll(right: Right): Right {
  if ('url' in right) return right;
  const { name: _name, ...all } = right;
  return all;
}
