import type { KubeObject } from '@kubewright/api';
import type { Connection } from '@kubewright/runtime';
import { loadConnection } from '@kubewright/runtime/internal';
import { ControlPlane } from './control-plane/control-plane.js';
import { InstalledDefinitions, type InstallUsing } from './installed-definitions.js';
import { FaultProxy } from './proxies/fault-proxy.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';
import type { Readers, TestServer } from './test-server.js';

/** An external server. The environment knows what the server serves, but not the pending work of the server's controllers. */
export class ConnectedServer implements TestServer {
  readonly connection: Connection;
  readonly embedded = undefined;
  readonly controlPlane: ControlPlane | undefined;
  readonly #definitions = new InstalledDefinitions();

  readonly #proxy: FaultProxy | undefined;

  private constructor(connection: Connection, controlPlane?: ControlPlane, proxy?: FaultProxy) {
    this.connection = connection;
    this.controlPlane = controlPlane;
    this.#proxy = proxy;
  }

  /** Connects to the cluster of the current kubeconfig. Rejects with INVALID_KUBECONFIG and NO_CLUSTER. */
  static async existing(): Promise<ConnectedServer> {
    return new ConnectedServer(await loadConnection());
  }

  /**
   * Starts a control plane, which ends with this server. A proxy in front of the control plane injects the faults. Rejects with
   * NO_CONTROL_PLANE.
   */
  static async controlPlane({ clock, workloads, faults, version }: TestEnvironmentOptions): Promise<ConnectedServer> {
    const plane = await ControlPlane.start({
      workloads: workloads !== undefined && workloads !== false,
      ...(version !== undefined && { version }),
    });
    const { connection: upstream } = plane;
    if (faults === undefined) return new ConnectedServer(upstream, plane);
    const certificate = await plane.files.servingCertificate();
    const proxy = await FaultProxy.open({ upstream, certificate, faults, ...(clock && { clock }) });
    return new ConnectedServer(proxy.connection, plane, proxy);
  }

  install(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.install(definitions, using);
  }
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.remove(definitions, using);
  }
  /** Removes the new definitions from an existing cluster. A control plane of the environment is deleted as a whole. */
  leave(using: InstallUsing): Promise<void> {
    return this.controlPlane === undefined ? this.#definitions.removeNew(using) : Promise.resolve();
  }

  pending(): readonly string[] {
    return [];
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const behind = await Promise.all([cache.behind(), ...managers.map((manager) => manager.behind())]);
    return behind.flat();
  }
  /** Does nothing: the watches of an external server need no prompt. */
  prod(): void {
    return undefined;
  }
  onActivity(): () => void {
    return () => undefined;
  }
  async stop(): Promise<void> {
    await this.#proxy?.close();
    await this.controlPlane?.stop();
  }
}
