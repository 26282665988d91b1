import type { KubeObject } from '@kubewright/api';
import type { Connection } from '@kubewright/runtime';
import { loadConnection } from '@kubewright/runtime/internal';
import type { KeyPair } from './control-plane/authority.js';
import { ControlPlane } from './control-plane/control-plane.js';
import { InstalledDefinitions, type InstallUsing } from './installed-definitions.js';
import { FaultProxy } from './proxies/fault-proxy.js';
import type { TestEnvironmentOptions } from './test-environment-options.js';
import type { Readers, TestServer } from './test-server.js';

/** A running control plane of another owner, on loan to one environment. */
export interface ControlPlaneLoan {
  /** The connection of the administrator. */
  readonly connection: Connection;
  /** A serving certificate of the control plane's authority, for a proxy in front of the API server. */
  readonly certificate: KeyPair;
  /** Returns the control plane to its owner. Called once, after the last request of the environment. */
  release(): Promise<void>;
}

/** An external server. The environment knows what the server serves, but not the pending work of the server's controllers. */
export class ConnectedServer implements TestServer {
  readonly connection: Connection;
  readonly embedded = undefined;
  readonly controlPlane: ControlPlane | undefined;
  readonly #definitions = new InstalledDefinitions();
  readonly #isExisting: boolean;
  readonly #end: () => Promise<void>;

  private constructor(
    connection: Connection,
    {
      controlPlane,
      isExisting = false,
      end = async () => undefined,
    }: {
      readonly controlPlane?: ControlPlane;
      readonly isExisting?: boolean;
      readonly end?: () => Promise<void>;
    },
  ) {
    this.connection = connection;
    this.controlPlane = controlPlane;
    this.#isExisting = isExisting;
    this.#end = end;
  }

  /** Connects to the cluster of the current kubeconfig. Rejects with INVALID_KUBECONFIG and NO_CLUSTER. */
  static async existing(): Promise<ConnectedServer> {
    return new ConnectedServer(await loadConnection(), { isExisting: true });
  }

  /**
   * Starts a control plane, which ends with this server. A proxy in front of the control plane injects the faults. Rejects with
   * NO_CONTROL_PLANE, INVALID_VERSION, COMPONENT_ENDED and NOT_READY.
   */
  static async controlPlane(options: TestEnvironmentOptions): Promise<ConnectedServer> {
    const { workloads, version } = options;
    const controlPlane = await ControlPlane.start({
      workloads: workloads !== undefined && workloads !== false,
      ...(version !== undefined && { version }),
    });
    const proxy = await proxyOf(controlPlane.connection, options, () => controlPlane.files.servingCertificate());
    return new ConnectedServer(proxy?.connection ?? controlPlane.connection, {
      controlPlane,
      end: async () => {
        await proxy?.close();
        await controlPlane.stop();
      },
    });
  }

  /** Uses a control plane on loan, and releases the control plane at the end. A proxy in front of the control plane injects the faults. */
  static async onLoan(loan: ControlPlaneLoan, options: TestEnvironmentOptions): Promise<ConnectedServer> {
    const proxy = await proxyOf(loan.connection, options, async () => loan.certificate);
    return new ConnectedServer(proxy?.connection ?? loan.connection, {
      end: async () => {
        await proxy?.close();
        await loan.release();
      },
    });
  }

  install(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.install(definitions, using);
  }
  uninstall(definitions: readonly KubeObject[], using: InstallUsing): Promise<void> {
    return this.#definitions.remove(definitions, using);
  }
  /**
   * Removes the new definitions from an existing cluster. Does nothing on a control plane, because the owner of the control plane stops it
   * or restores its state.
   */
  leave(using: InstallUsing): Promise<void> {
    return this.#isExisting ? this.#definitions.removeNew(using) : Promise.resolve();
  }

  pending(): readonly string[] {
    return [];
  }
  async behind({ managers, cache }: Readers): Promise<readonly string[]> {
    const behind = await Promise.all([cache.behind(), ...managers.map((manager) => manager.behind())]);
    return behind.flat();
  }
  /** Does nothing, because an external server updates its readers without a prompt. */
  prod(): void {
    return undefined;
  }
  onActivity(): () => void {
    return () => undefined;
  }
  stop(): Promise<void> {
    return this.#end();
  }
}

/** Opens a proxy that injects the faults of the options; undefined if there are no faults. */
async function proxyOf(
  upstream: Connection,
  { clock, faults }: TestEnvironmentOptions,
  certificate: () => Promise<KeyPair>,
): Promise<FaultProxy | undefined> {
  if (faults === undefined) return undefined;
  return FaultProxy.open({ upstream, certificate: await certificate(), faults, ...(clock && { clock }) });
}
