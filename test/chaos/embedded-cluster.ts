import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@kubewright/api/clock';
import { ApiServer, type FaultPlan } from '@kubewright/apiserver';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf, NetworkProxy } from '@kubewright/testing';

/** Options of a cluster. */
export interface EmbeddedClusterOptions {
  readonly faults: FaultPlan;
  readonly clock?: Clock;
  /** Whether the cluster keeps its objects in a folder, which a restart requires. */
  readonly restartable: boolean;
}

/** An embedded API server that runs workloads. The server can restart from its folder, and its address stays the same for clients. */
export class EmbeddedCluster implements AsyncDisposable {
  readonly #options: EmbeddedClusterOptions;
  readonly #folder: string;
  #server: ApiServer;
  #network: NetworkProxy | undefined;

  private constructor(options: EmbeddedClusterOptions, folder: string, server: ApiServer) {
    this.#options = options;
    this.#folder = folder;
    this.#server = server;
  }

  static async start(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-chaos-'));
    const cluster = new EmbeddedCluster(options, folder, await startServer(options, folder));
    if (options.restartable) cluster.#network = await NetworkProxy.open(connectionOf(cluster.#server));
    return cluster;
  }

  /** The current server. */
  get server(): ApiServer {
    return this.#server;
  }

  /** A connection that stays valid across restarts. */
  get connection(): Connection {
    return this.#network?.connection ?? connectionOf(this.#server);
  }

  /** Writes a kubeconfig for operators in their own process, and returns its path. */
  async writeKubeconfig(): Promise<string> {
    const path = join(this.#folder, 'kubeconfig');
    await writeFile(path, kubeconfigOf(this.connection), { mode: 0o600 });
    return path;
  }

  /** Resolves when all writes are on disk. A response waits for the disk in real time, independent of the fake clock. */
  async durable(): Promise<void> {
    await this.#server.store.durable();
  }

  /** Stops the server and starts another server from the same folder. */
  async restart(): Promise<void> {
    await this.#server.stop();
    this.#server = await startServer(this.#options, this.#folder);
    this.#network?.leadTo(connectionOf(this.#server));
    this.#network?.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network?.close();
    await this.#server.stop();
    await rm(this.#folder, { recursive: true });
  }
}

function startServer({ faults, clock, restartable }: EmbeddedClusterOptions, folder: string): Promise<ApiServer> {
  return ApiServer.start({
    workloads: true,
    faults,
    ...(clock !== undefined && { clock }),
    ...(restartable && { data: join(folder, 'data') }),
  });
}

function connectionOf({ url, certificateAuthority, token }: ApiServer): Connection {
  return { server: url, ca: certificateAuthority, token };
}
