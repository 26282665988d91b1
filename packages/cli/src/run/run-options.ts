import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright run`. */
export interface RunOptions extends ClusterChoice {
  /** The object to plan as KIND/NAME, or true if the file in `filename` contains the object. */
  readonly plan?: string | true;
  readonly namespace?: string;
  readonly filename?: string;
  readonly controller?: string;
  readonly leaderElect?: boolean;
}
