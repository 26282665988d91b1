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
   * Returns a `KubeConfig` of client-node with the same server and credentials. Pass it to the API classes of client-node and to `Exec`,
   * `Attach`, `PortForward`, `Cp` and `Log`. Credentials are renewed before each request. Each call returns a new object. The first call
   * loads client-node, which takes about 0.6 s and 75 MB. Rejects with INVALID_KUBECONFIG and NO_CLUSTER.
   *
   * The metrics and traces of the manager do not include requests of client-node. The generated roles do not include the permissions for
   * these requests; declare them with `@Rbac`.
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
