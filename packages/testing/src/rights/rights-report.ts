import { covers, isAllowed, type OperatorRights, type Right, widestOf } from '@kubewright/api/rbac';
import type { PolicyRule } from '@kubewright/api/rbac/v1';

/** What the managers of a test environment did, held against the roles that follow from what they declare. */
export interface RightsReport {
  /** Every right that was needed, sorted; what everybody may do, such as discovery, left out. */
  readonly used: readonly Right[];
  /** What was needed and the roles do not give. */
  readonly missing: readonly Right[];
  /** What the roles give and nothing needed. */
  readonly unused: readonly Right[];
}

/** What every user of a cluster may do: the roles `system:discovery` and `system:basic-user` of Kubernetes. */
const EVERYBODY: readonly PolicyRule[] = [
  { nonResourceURLs: ['/api*', '/openapi*', '/version*', '/healthz*', '/livez*', '/readyz*'], verbs: ['get'] },
  {
    apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'],
    verbs: ['create'],
  },
];

/** The rights as one list; those in the namespace of the operator say which that is. */
export function listedRights({ cluster, namespaced, own }: OperatorRights, ownNamespace: string): readonly Right[] {
  return [...cluster, ...namespaced, ...own.map((right) => ({ ...right, namespace: ownNamespace }))];
}

/** Whether rights suffice for a request. */
export function suffices(granted: readonly Right[], needed: Right): boolean {
  return granted.some((right) => covers(right, needed)) || isAllowed(EVERYBODY, needed);
}

/** The report on several managers, each with what it was granted and what it needed. */
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

/** The same right without the one object that was meant: a role names none unless it is told to. */
function onAll(right: Right): Right {
  if ('url' in right) return right;
  const { name: _name, ...all } = right;
  return all;
}
