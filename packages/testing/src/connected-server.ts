import type { KubeObject } from '@kubewright/api';
import type { Connection } from '@kubewright/runtime';
import { loadConnection } from '@kubewright/runtime/internal';
import type { KeyPair } from './control-plane/authority.js';
import { ControlPlane } from './control-plane/control-plane.js';
import { InstalledDefinitions, type InstallUsing } from './installed-definitions.js';
import { FaultProxy } from './proxies/fault-proxy.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';
import type { Readers, TestServer } from './test-server.js';

/** A running control plane that belongs to another owner and is lent to one environment. */
export interface ControlPlaneLoan {
  /** The connection of the administrator. */
  readonly connection: Connection;
  /** A serving certificate for a proxy in front of the API server, issued by the certificate authority of the control plane. */
  readonly certificate: KeyPair;
  /** Returns the control plane to its owner. Called once, after the last request of the environment. */
  release(): Promise<void>;
}

/** A control plane for an environment. A proxy in front of the control plane may inject faults. */
interface ControlPlaneForEnvironment {
  readonly connection: Connection;
  /** Returns a serving certificate for the proxy. */
  readonly certificate: () => Promise<KeyPair>;
  /** Stops or releases the control plane. */
  readonly end: () => Promise<void>;
  /** The control plane, if the environment may stop, restart or reconfigure the control plane. */
  readonly controlPlane?: ControlPlane;
}

/**
 * An external server. The environment can compare its caches with the server, but cannot determine the pending work of the cluster's own
 * controllers.
 */
export class ConnectedServer implements TestServer {
  readonly connection: Connection;
  readonly embedded = undefined;
  readonly controlPlane: ControlPlane | undefined;
  readonly #definitions = new InstalledDefinitions();
  readonly #isExisting: boolean;
  readonly #end: () => Promise<void>;
  readonly #proxy: FaultProxy | undefined;

  private constructor(
    connection: Connection,
    {
      controlPlane,
      proxy,
      isExisting = false,
      end = async () => undefined,
    }: {
      readonly controlPlane?: ControlPlane;
      readonly proxy?: FaultProxy;
      readonly isExisting?: boolean;
      readonly end?: () => Promise<void>;
    },
  ) {
    this.connection = connection;
    this.controlPlane = controlPlane;
    this.#isExisting = isExisting;
    this.#end = end;
    this.#proxy = proxy;
  }

  /**
   * Connects to the cluster of the current kubeconfig. Rejects with INVALID_KUBECONFIG if the kubeconfig is not valid, and with NO_CLUSTER
   * if neither a kubeconfig nor a service account exists.
   */
  static async existing(): Promise<ConnectedServer> {
    return new ConnectedServer(await loadConnection(), { isExisting: true });
  }

  /**
   * Starts a control plane and stops it together with this server. If the options contain faults, a proxy in front of the control plane
   * injects the faults. Rejects with NO_CONTROL_PLANE, INVALID_VERSION, COMPONENT_ENDED and NOT_READY.
   */
  static async controlPlane(options: TestEnvironmentOptions): Promise<ConnectedServer> {
    const { workloads, version } = options;
    const controlPlane = await ControlPlane.start({
      workloads: workloads !== undefined && workloads !== false,
      ...(version !== undefined && { version }),
    });
    return ConnectedServer.#withFaults(options, {
      controlPlane,
      connection: controlPlane.connection,
      certificate: () => controlPlane.files.servingCertificate(),
      end: () => controlPlane.stop(),
    });
  }

  /**
   * Uses a control plane on loan, and releases the control plane when this server stops. If the options contain faults, a proxy in front of
   * the control plane injects the faults.
   */
  static onLoan(loan: ControlPlaneLoan, options: TestEnvironmentOptions): Promise<ConnectedServer> {
    return ConnectedServer.#withFaults(options, {
      connection: loan.connection,
      certificate: async () => loan.certificate,
      end: () => loan.release(),
    });
  }

  /**
   * Opens a proxy in front of a control plane if the options contain faults. If the proxy cannot be opened, stops or releases the control
   * plane, and rejects.
   */
  static async #withFaults(
    { clock, faults }: TestEnvironmentOptions,
    { connection: upstream, certificate, end, controlPlane }: ControlPlaneForEnvironment,
  ): Promise<ConnectedServer> {
    const started = { ...(controlPlane && { controlPlane }) };
    if (faults === undefined) return new ConnectedServer(upstream, { ...started, end });
    try {
      const proxy = await FaultProxy.open({
        upstream,
        certificate: await certificate(),
        faults,
        ...(clock && { clock }),
      });
      const endBoth = async (): Promise<void> => {
        await proxy.close();
        await end();
      };
      return new ConnectedServer(proxy.connection, { ...started, proxy, end: endBoth });
    } catch (error) {
      await end();
      throw error;
    }
  }

  install(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.install(definitions, using);
  }
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.remove(definitions, using);
  }
  /**
   * Removes the definitions that `install` created from an existing cluster. Does nothing on a control plane, because the owner stops the
   * control plane or restores its state.
   */
  leave(using: InstallUsing): Promise<void> {
    return this.#isExisting ? this.#definitions.removeNew(using) : Promise.resolve();
  }

  pending(): readonly string[] {
    return [];
  }
  waiting(): ReadonlySet<string> {
    return this.#proxy?.waiting ?? new Set();
  }
  hasReached(): boolean {
    return false;
  }
  objectCount(): number {
    return 0;
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const behind = await Promise.all([cache.behind(), ...managers.map((manager) => manager.behind())]);
    return behind.flat();
  }
  /** Does nothing, because an external server updates its readers without a prompt. */
  prod(): void {
    return undefined;
  }
  onActivity(listener: () => void): () => void {
    return this.#proxy?.onActivity(listener) ?? (() => undefined);
  }
  stop(): Promise<void> {
    return this.#end();
  }
}
