import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../generated/rbac/v1.js';
import type { OperatorPermissions } from './operator-permissions.js';
import type { ResourcePermission, Permission } from './permission.js';
import { roleMetadata, type RoleNames } from './role-names.js';
import { rulesOf } from './rules-of.js';

/** The ServiceAccount that receives the roles of an operator, and the names of the roles. */
export interface OperatorRoleNames extends RoleNames {
  /** The namespace in which the operator runs. */
  readonly namespace: string;
  /** The ServiceAccount of the operator's Pods in that namespace. */
  readonly serviceAccount: string;
}

const API_GROUP = 'rbac.authorization.k8s.io';
const ROLE = 'manager-role';
const BINDING = 'manager-rolebinding';

/**
 * Returns the roles that grant an operator its permissions, with their bindings to its ServiceAccount. A ClusterRole contains the
 * permissions in the whole cluster. A Role in each namespace contains all other permissions. Omits empty roles. The result starts with the
 * ClusterRole, followed by the Roles sorted by namespace. Each role is followed by its binding.
 * @example rolesOf(permissionsOf(manager.describe()), { prefix: 'my-operator-', namespace: 'my-operator-system', serviceAccount:
 * 'my-operator' });
 */
export function rolesOf(
  { cluster, namespaced, own }: OperatorPermissions,
  names: OperatorRoleNames,
): readonly (ClusterRole | ClusterRoleBinding | Role | RoleBinding)[] {
  const byNamespace = new Map<string, ResourcePermission[]>();
  for (const permission of [...namespaced, ...own]) {
    const { namespace = names.namespace } = permission;
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), permission]);
  }
  return [
    ...(cluster.length > 0 ? clusterRole(cluster, names) : []),
    ...[...byNamespace.keys()]
      .toSorted()
      .flatMap((namespace) => role(byNamespace.get(namespace) ?? [], { ...names, of: namespace })),
  ];
}

function clusterRole(
  permissions: readonly Permission[],
  names: OperatorRoleNames,
): readonly [ClusterRole, ClusterRoleBinding] {
  const made = new ClusterRole({ metadata: roleMetadata(ROLE, names), rules: rulesOf(permissions) });
  return [made, new ClusterRoleBinding({ metadata: roleMetadata(BINDING, names), ...bound(made, names) })];
}
function role(
  permissions: readonly Permission[],
  { of: namespace, ...names }: OperatorRoleNames & { readonly of: string },
): readonly [Role, RoleBinding] {
  const made = new Role({ metadata: roleMetadata(ROLE, names, { namespace }), rules: rulesOf(permissions) });
  return [made, new RoleBinding({ metadata: roleMetadata(BINDING, names, { namespace }), ...bound(made, names) })];
}

function bound({ kind, metadata }: ClusterRole | Role, { namespace, serviceAccount }: OperatorRoleNames) {
  return {
    roleRef: { apiGroup: API_GROUP, kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
  };
}
