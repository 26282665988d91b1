import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@kubewright/api/clock';
import { ApiServer, type FaultPlan } from '@kubewright/apiserver';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf, NetworkProxy } from '@kubewright/testing';

/** How a cluster is to be. */
export interface EmbeddedClusterOptions {
  readonly faults: FaultPlan;
  readonly clock?: Clock;
  /** Whether it keeps its objects in a folder, so that it can be restarted. */
  readonly restartable: boolean;
}

/** An embedded API server with workloads, which can stop and start again from its folder while clients keep its address. */
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

  /** The server that runs now. */
  get server(): ApiServer {
    return this.#server;
  }

  /** The way in that stays the same. */
  get connection(): Connection {
    return this.#network?.connection ?? connectionOf(this.#server);
  }

  /** A file that a process of its own reads the way in from. */
  async writeKubeconfig(): Promise<string> {
    const path = join(this.#folder, 'kubeconfig');
    await writeFile(path, kubeconfigOf(this.connection), { mode: 0o600 });
    return path;
  }

  /** Resolves when the disk has everything that was written. An answer waits for its disk in real time, whatever the clock does. */
  async durable(): Promise<void> {
    await this.#server.store.durable();
  }

  /** Stops the server and starts another one from its folder. */
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
