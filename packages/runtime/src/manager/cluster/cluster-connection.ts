import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from '../../transport/connection/connection.js';
import { kubeConfigOf } from '../../transport/kubeconfig/kube-config-of.js';

/** The connection of a manager or a cluster, for libraries that send their own requests. */
export class ClusterConnection {
  readonly #connected: () => Promise<Connection>;
  constructor(connected: () => Promise<Connection>) {
    this.#connected = connected;
  }

  /**
   * Returns a `KubeConfig` of client-node for the same server and the same credentials. The `KubeConfig` renews the credentials before each
   * request. client-node's `Exec`, `Attach`, `PortForward`, `Cp`, `Log` and API classes accept the `KubeConfig`. Each call returns a new
   * object. The first call loads client-node, which takes about 0.6 s and 75 MB. Rejects with INVALID_KUBECONFIG and NO_CLUSTER.
   *
   * Requests of client-node do not appear in the metrics and traces of the manager. The derived permissions do not include the permissions
   * that these requests need.
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
