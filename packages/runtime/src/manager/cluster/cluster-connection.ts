import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from '../../transport/connection.js';
import { kubeConfigOf } from '../../transport/kube-config-of.js';

/** The connection of a manager or a cluster, for libraries that make requests of their own. */
export class ClusterConnection {
  readonly #connected: () => Promise<Connection>;
  constructor(connected: () => Promise<Connection>) {
    this.#connected = connected;
  }

  /**
   * Returns a `KubeConfig` of client-node for the same server with the same credentials, which it renews before each request. It is
   * what client-node's `Exec`, `Attach`, `PortForward`, `Cp`, `Log` and API classes take. Each call returns a new one. The first call
   * loads client-node, which takes about 0.6 s and 75 MB. Rejects with INVALID_KUBECONFIG and NO_CLUSTER.
   *
   * Requests of client-node do not appear in metrics and traces of the manager, and the permissions that they need are not derived.
   *
   * @example
   * import { Exec } from '@kubernetes/client-node';
   *
   * const exec = new Exec(await manager.connection.kubeConfig());
   */
  async kubeConfig(): Promise<KubeConfig> {
    return kubeConfigOf(await this.#connected());
  }
}
