import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright add controller`. */
export interface AddControllerOptions extends ClusterChoice {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  /** The name of the controller. @default derived from the kind */
  readonly name?: string;
  /** The file with the CustomResourceDefinition of the kind. */
  readonly crd?: string;
  readonly fromCluster?: boolean;
}
