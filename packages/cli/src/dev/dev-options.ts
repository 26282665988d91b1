import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright dev`. */
export interface DevOptions extends ClusterChoice {
  readonly cluster?: boolean;
  readonly leaderElect?: boolean;
  /** The address at which the cluster calls the webhooks, as HOST or HOST:PORT. */
  readonly webhookAddress?: string;
  readonly data?: string;
  readonly port: string;
  /** The number of simulated nodes, or the path of a file. */
  readonly nodes?: string;
  /** The path of a file. */
  readonly podBehaviours?: string;
  /** The version of Kubernetes that the embedded API server emulates. */
  readonly kubernetesVersion: string;
  readonly once?: boolean;
  readonly timeout: string;
}
