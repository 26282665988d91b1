import type { ClusterChoice } from '../deploy/kube-api.js';

/** What `kubewright add controller` was told. */
export interface AddControllerOptions extends ClusterChoice {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  /** Of the controller. @default that of the kind */
  readonly name?: string;
  /** The file that has the definition of the kind. */
  readonly crd?: string;
  readonly fromCluster?: boolean;
}
