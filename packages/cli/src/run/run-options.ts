import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright run`. */
export interface RunOptions extends ClusterChoice {
  /** KIND/NAME, or true if a file contains the object. */
  readonly plan?: string | true;
  readonly namespace?: string;
  readonly filename?: string;
  readonly controller?: string;
  readonly leaderElect?: boolean;
}
