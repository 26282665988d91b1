import type { Connection } from '../transport/connection.js';

/** Where the API server is, and what of it is looked at. */
export interface ClusterOptions {
  /** A path, or the text of a kubeconfig. @default KUBECONFIG, ~/.kube/config, then the service account of the pod */
  readonly kubeconfig?: string | { readonly inline: string };
  readonly context?: string;
  /** A connection that is known already; then no kubeconfig is read. */
  readonly connection?: Connection;
  /** @default all */
  readonly namespaces?: readonly string[];
  /** Reads of a cluster without controllers open informers as they come. @default true for connect(), false for a manager */
  readonly implicitInformers?: boolean;
}
