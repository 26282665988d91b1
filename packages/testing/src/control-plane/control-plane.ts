import { KubewrightError } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { Transport, SilentLogger } from '@kubewright/runtime/internal';
import { Component } from './component.js';
import {
  apiServerFlags,
  type ControlPlanePorts,
  controllerManagerFlags,
  etcdFlags,
  etcdUrl,
  kwokFlags,
  schedulerFlags,
} from './component-flags.js';
import { type ComponentName, ControlPlaneBinaries } from './control-plane-binaries.js';
import { ControlPlaneFiles } from './control-plane-files.js';
import { compactEtcd } from './etcd.js';
import { fakeNode, isNodeReady, kwokStages } from './fake-node.js';
import { SupervisedComponent } from './supervised-component.js';
import { ReservedPorts } from './reserved-ports.js';
import { standardClass, VolumeProvisioner } from './volume-provisioner.js';

const pollMs = 25;
const timeLimitMs = 60_000;
const START = 'start a control plane';

/** The options of a control plane. */
export interface ControlPlaneOptions {
  /**
   * Whether Pods are scheduled and run, Deployments roll out, and PersistentVolumeClaims get volumes. Requires kube-controller-manager,
   * kube-scheduler and kwok. @default false
   */
  readonly workloads?: boolean;
  /** A version such as '1.36.3', or a series such as '1.36' for its newest version. @default the newest available version */
  readonly version?: string;
  /** Additional flags of kube-apiserver, such as a feature that is disabled by default. @default none */
  readonly apiServerFlags?: readonly string[];
}

/**
 * A real control plane on 127.0.0.1: etcd, kube-apiserver and, if the programs exist, kube-controller-manager. Workloads also use
 * kube-scheduler and kwok. All files are in a folder that is deleted when the control plane stops.
 *
 * @example
 * await using controlPlane = await ControlPlane.start({ workloads: true });
 * await using cluster = await connect({ connection: controlPlane.connection });
 */
export class ControlPlane implements AsyncDisposable {
  readonly #binaries: ControlPlaneBinaries;
  readonly #files: ControlPlaneFiles;
  readonly #ports: ControlPlanePorts;
  readonly #reservedPorts: ReservedPorts;
  readonly #workloads: boolean;
  readonly #apiServerFlags: readonly string[];
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #running = new Map<ComponentName, Component | SupervisedComponent>();
  #apiServer: Component | undefined;
  #provisioner: VolumeProvisioner | undefined;

  private constructor(
    binaries: ControlPlaneBinaries,
    files: ControlPlaneFiles,
    {
      ports,
      reserved,
      clock,
      workloads = false,
      apiServerFlags = [],
    }: ControlPlaneOptions & {
      readonly ports: ControlPlanePorts;
      readonly reserved: ReservedPorts;
      readonly clock: Clock;
    },
  ) {
    this.#binaries = binaries;
    this.#files = files;
    this.#ports = ports;
    this.#reservedPorts = reserved;
    this.#clock = clock;
    this.#workloads = workloads;
    this.#apiServerFlags = apiServerFlags;
    this.#transport = new Transport(this.connection, { clock: this.#clock, logger: new SilentLogger() });
  }

  /**
   * Starts a control plane. Resolves when the API server is ready, the namespace default has its default objects (if
   * kube-controller-manager runs) and, with workloads, the node is ready. Rejects with NO_CONTROL_PLANE if a program is missing, with
   * INVALID_VERSION if the version is not valid, with COMPONENT_ENDED if a program exits, and with NOT_READY if no ports are free or the
   * control plane is not ready after 60 s.
   * @param clock the clock of the time limits @default the clock of the machine
   */
  static async start(options: ControlPlaneOptions = {}, clock: Clock = new SystemClock()): Promise<ControlPlane> {
    const binaries = ControlPlaneBinaries.get({ version: options.version });
    const reserved = await ReservedPorts.take(4);
    const [apiServer = 0, etcd = 0, etcdPeer = 0, kubelet = 0] = reserved.ports;
    const ports = { apiServer, etcd, etcdPeer, kubelet };
    const files = await ControlPlaneFiles.create(`https://127.0.0.1:${apiServer}`);
    const plane = new ControlPlane(binaries, files, { ...options, ports, reserved, clock });
    try {
      await plane.#start();
    } catch (error) {
      await plane.stop();
      throw error;
    }
    return plane;
  }

  /** The connection of the administrator. */
  get connection(): Connection {
    const { certificateAuthority: ca, adminToken: token } = this.#files;
    return { server: `https://127.0.0.1:${this.#ports.apiServer}`, ca, token };
  }

  /**
   * The folder with the keys, the certificates, the logs and the kubeconfigs. Also issues certificates of the control plane's authority.
   */
  get files(): ControlPlaneFiles {
    return this.#files;
  }

  /** Kills kube-apiserver without a graceful shutdown, like a power failure. */
  async killApiServer(): Promise<void> {
    await this.#apiServer?.kill();
  }

  /**
   * Restarts kube-apiserver on the same port with the same data. Resolves when kube-apiserver is ready. Rejects with COMPONENT_ENDED if a
   * program exits, and with NOT_READY after 60 s.
   */
  async restartApiServer(): Promise<void> {
    await this.#apiServer?.stop();
    this.#startApiServer();
    await this.#untilApiServerReady('restart kube-apiserver');
  }

  /** Compacts the history of etcd up to now. Watches and lists from older resourceVersions fail with 410. */
  compact(): Promise<void> {
    return compactEtcd(etcdUrl(this.#ports));
  }

  /**
   * Copies the data of etcd. Stops etcd during the copy, and replaces the previous copy. Resolves when the API server is ready. Rejects
   * with COMPONENT_ENDED if a program exits, and with NOT_READY after 60 s.
   */
  async backUp(): Promise<void> {
    await this.#running.get('etcd')?.stop();
    this.#files.copy('etcd', 'etcd-backup');
    this.#run('etcd', etcdFlags(this.#files, this.#ports));
    await this.#untilApiServerReady('back up etcd');
  }

  /**
   * Restores the data of etcd from the last copy, so that resourceVersions decrease. Restarts kube-apiserver and kube-controller-manager,
   * because their caches do not recover from older resourceVersions. Resolves when the API server is ready. Rejects with COMPONENT_ENDED if
   * a program exits, and with NOT_READY after 60 s.
   */
  async restore(): Promise<void> {
    const names = ['kube-controller-manager', 'kube-apiserver', 'etcd'] as const;
    for (const name of names) await this.#running.get(name)?.stop();
    this.#running.delete('kube-controller-manager');
    this.#files.copy('etcd-backup', 'etcd');
    this.#run('etcd', etcdFlags(this.#files, this.#ports));
    this.#startApiServer();
    await this.#untilApiServerReady('restore etcd');
    if (this.#withControllers) this.#startControllerManager();
  }

  /** Stops all programs in reverse order of their start, and removes the folder. */
  async stop(): Promise<void> {
    await this.#provisioner?.stop();
    await this.#transport.close();
    for (const component of [...this.#running.values()].toReversed()) await component.stop();
    this.#running.clear();
    this.#files.remove();
    await this.#reservedPorts[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #start(): Promise<void> {
    this.#run('etcd', etcdFlags(this.#files, this.#ports));
    this.#startApiServer();
    await this.#untilApiServerReady(START);
    if (this.#withControllers) this.#startControllerManager();
    if (this.#workloads) await this.#startWorkloads();
    if (!this.#withControllers) return;
    for (const made of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
      await this.#until(START, `${made} of namespace default`, async () => {
        await this.#get(`/api/v1/namespaces/default/${made}`);
        return true;
      });
    }
  }

  async #startWorkloads(): Promise<void> {
    for (const name of ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const) {
      if (this.#binaries.has(name)) continue;
      throw new KubewrightError(
        'NO_CONTROL_PLANE',
        `cannot start a control plane with workloads: ${this.#binaries.folder} does not contain ${name}; add ${name} to the folder, or omit workloads`,
      );
    }
    const scheduler = this.#run('kube-scheduler', schedulerFlags(this.#files));
    const stages = this.#files.write('stages.yaml', await kwokStages(this.#binaries));
    this.#run('kwok', kwokFlags(this.#files, this.#ports, stages));
    await this.#transport.request({ method: 'POST', path: '/api/v1/nodes', body: fakeNode });
    await this.#transport.request({
      method: 'POST',
      path: '/apis/storage.k8s.io/v1/storageclasses',
      body: standardClass,
    });
    this.#provisioner = new VolumeProvisioner(this.connection);
    await this.#provisioner.start();
    await this.#until(START, 'the node', async () =>
      isNodeReady(await this.#get(`/api/v1/nodes/${fakeNode.metadata.name}`)),
    );
    // kube-scheduler exits if a killed API server leaves a Pod on another node than the scheduler assumed, so it is restarted.
    const start = (): Component => this.#component('kube-scheduler', schedulerFlags(this.#files));
    this.#running.set('kube-scheduler', new SupervisedComponent(scheduler, { start, clock: this.#clock }));
  }

  get #withControllers(): boolean {
    return this.#binaries.has('kube-controller-manager');
  }

  #startControllerManager(): void {
    this.#run('kube-controller-manager', controllerManagerFlags(this.#files, { workloads: this.#workloads }));
  }

  #startApiServer(): void {
    const options = { withControllers: this.#withControllers };
    const flags = apiServerFlags(this.#files, this.#ports, options);
    this.#apiServer = this.#run('kube-apiserver', [...flags, ...this.#apiServerFlags]);
  }

  #run(name: ComponentName, args: readonly string[]): Component {
    const component = this.#component(name, args);
    this.#running.set(name, component);
    return component;
  }

  #component(name: ComponentName, args: readonly string[]): Component {
    const logFile = this.#files.path(`log/${name}.log`);
    return new Component({ name, path: this.#binaries.path(name), args, logFile });
  }

  /** Resolves with true if the API server is ready. Otherwise, rejects with the error of the request. */
  async #isApiServerReady(): Promise<boolean> {
    for await (const _chunk of await this.#transport.stream({ path: '/readyz', accept: '*/*' })) continue;
    return true;
  }

  #get(path: string): Promise<unknown> {
    return this.#transport.request({ method: 'GET', path });
  }

  #untilApiServerReady(attempt: string): Promise<void> {
    return this.#until(attempt, 'kube-apiserver', () => this.#isApiServerReady());
  }

  /**
   * Polls until the condition is true. Retries after errors until the time limit. Throws COMPONENT_ENDED if a program has ended, and
   * NOT_READY at the time limit. The message of NOT_READY contains the attempt, such as 'restart kube-apiserver'.
   */
  async #until(attempt: string, what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = this.#clock.monotonicMs() + timeLimitMs;
    let last: unknown;
    for (;;) {
      for (const component of this.#running.values()) component.check();
      try {
        if (await isSo()) return;
      } catch (error) {
        last = error;
      }
      if (this.#clock.monotonicMs() > end) {
        throw new KubewrightError(
          'NOT_READY',
          `cannot ${attempt}: ${what} is not ready after ${timeLimitMs / 1000} s`,
          {
            cause: last,
          },
        );
      }
      await this.#clock.sleep(`${pollMs}ms`);
    }
  }
}
