import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlPlane, kubeconfigOf } from '@kubewright/testing';
import { ReservedPorts } from '@kubewright/testing/internal';
import { ServerProcess } from '../apiserver-process/server-process.js';
import { selectedServer } from '../server/selected-server.js';

/**
 * A server that runs workloads, and that a test can kill and start again with the same data: the embedded server in its own process, or a
 * real control plane.
 */
export interface ExampleServer extends AsyncDisposable {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** Kills the API server, as in a power failure. */
  kill(): Promise<void>;
  /** Starts the API server again at the same address; resolves when it responds. */
  start(): Promise<void>;
}

/** Starts an embedded server, or a real control plane if the test run selects this server. */
export async function startExampleServer(): Promise<ExampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-example-'));
  return selectedServer() === 'control-plane' ? RealServer.start(folder) : EmbeddedProcess.start(folder);
}

class RealServer implements ExampleServer {
  readonly kubeconfig: string;
  readonly #plane: ControlPlane;
  readonly #folder: string;

  private constructor(plane: ControlPlane, folder: string) {
    this.#plane = plane;
    this.#folder = folder;
    this.kubeconfig = join(folder, 'kubeconfig');
  }
  static async start(folder: string): Promise<RealServer> {
    const server = new RealServer(await ControlPlane.start({ workloads: true }), folder);
    await writeFile(server.kubeconfig, kubeconfigOf(server.#plane.connection), { mode: 0o600 });
    return server;
  }

  kill(): Promise<void> {
    return this.#plane.killApiServer();
  }
  start(): Promise<void> {
    return this.#plane.restartApiServer();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plane.stop();
    await rm(this.#folder, { recursive: true });
  }
}

/** Runs the embedded server in its own process, always on the same port. The port is reserved while the server is stopped. */
class EmbeddedProcess implements ExampleServer {
  readonly kubeconfig: string;
  readonly #folder: string;
  readonly #ports: ReservedPorts;
  #process: ServerProcess | undefined;

  private constructor(folder: string, ports: ReservedPorts) {
    this.#folder = folder;
    this.#ports = ports;
    this.kubeconfig = join(folder, 'data', 'kubeconfig');
  }
  static async start(folder: string): Promise<EmbeddedProcess> {
    const server = new EmbeddedProcess(folder, await ReservedPorts.take(1));
    await server.start();
    return server;
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }
  async start(): Promise<void> {
    const [port] = this.#ports.ports;
    const args = ['--data', join(this.#folder, 'data'), '--workloads', '--port', String(port)];
    this.#process = await ServerProcess.start(args);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.kill();
    await this.#ports[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true });
  }
}
