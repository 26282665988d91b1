import type { ClusterChoice } from '../deploy/kube-api.js';

/** What `kubewright run` was asked. */
export interface RunOptions extends ClusterChoice {
  /** KIND/NAME, or true where a file says the object. */
  readonly plan?: string | true;
  readonly namespace?: string;
  readonly filename?: string;
  readonly controller?: string;
  readonly leaderElect?: boolean;
}
