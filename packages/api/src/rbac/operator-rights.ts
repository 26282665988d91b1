import type { ResourceRight, Right } from './right.js';

/** The rights that an operator needs, by where it needs them. Plain data: it stays what it is as JSON. */
export interface OperatorRights {
  /** Everywhere: what a ClusterRole with a ClusterRoleBinding is for. */
  readonly cluster: readonly Right[];
  /** In namespaces that are known by name; each says which. */
  readonly namespaced: readonly ResourceRight[];
  /** In the namespace in which the operator itself runs, whichever that will be. */
  readonly own: readonly ResourceRight[];
}
