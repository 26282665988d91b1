import type { ResourceRight, Right } from './right.js';

/** The permissions that an operator needs, grouped by scope. Plain data that can be serialized as JSON. */
export interface OperatorRights {
  /** Permissions in the whole cluster, for a ClusterRole with a ClusterRoleBinding. */
  readonly cluster: readonly Right[];
  /** Permissions in namespaces with known names. Each permission contains its namespace. */
  readonly namespaced: readonly ResourceRight[];
  /** Permissions in the namespace in which the operator runs. */
  readonly own: readonly ResourceRight[];
}
