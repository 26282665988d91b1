import type { ClusterChoice } from '../deploy/kube-api.js';

/** The options of `kubewright dev`. */
export interface DevOptions extends ClusterChoice {
  readonly cluster?: boolean;
  readonly leaderElect?: boolean;
  /** The address at which the cluster calls the webhooks, as HOST or HOST:PORT. */
  readonly webhookAddress?: string;
  readonly data?: string;
  readonly port: string;
  readonly once?: boolean;
  readonly timeout: string;
}
