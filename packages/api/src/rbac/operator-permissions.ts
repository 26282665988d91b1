import type { ResourcePermission, Permission } from './permission.js';

/** The permissions that an operator needs, grouped by scope. Plain data that can be serialized as JSON. */
export interface OperatorPermissions {
  /** Permissions in the whole cluster, for a ClusterRole with a ClusterRoleBinding. */
  readonly cluster: readonly Permission[];
  /** Permissions in namespaces with known names. Each permission contains its namespace. */
  readonly namespaced: readonly ResourcePermission[];
  /** Permissions in the namespace in which the operator runs. */
  readonly own: readonly ResourcePermission[];
}
