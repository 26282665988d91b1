import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright run`. */
export interface RunOptions extends ClusterChoice {
  /** The object to plan as KIND/NAME, or true for all objects in the file `filename`. */
  readonly plan?: string | true;
  readonly namespace?: string;
  readonly filename?: string;
  readonly controller?: string;
  readonly leaderElect?: boolean;
}
