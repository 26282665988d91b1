import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@kubewright/api/errors';
import type { Connection } from '@kubewright/runtime';
import { loadConnection } from '@kubewright/runtime/internal';

const program = fileURLToPath(new URL('../../../packages/apiserver/dist/command/main.js', import.meta.url));

/** Runs the embedded API server with workloads in a separate process. If the process exits, restarts the server with the same data. */
export class ApiServerProcess implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly connection: Connection;
  readonly #folder: string;
  readonly #say: (sentence: string) => void;
  readonly #endWithUs = (): void => void this.#child.kill('SIGKILL');
  readonly #keeping: Promise<void>;
  #child: ChildProcess;
  #stopped = false;

  private constructor(parts: Parts & { readonly child: ChildProcess; readonly connection: Connection }) {
    this.#folder = parts.folder;
    this.kubeconfig = kubeconfigIn(parts.folder);
    this.connection = parts.connection;
    this.#say = parts.say;
    this.#child = parts.child;
    process.once('exit', this.#endWithUs);
    this.#keeping = this.#keepRunning();
  }

  /**
   * Starts a server, and resolves when the server responds. Calls `say` when the process exits, and when the restarted server is available.
   * Rejects with the error of the server if the server cannot start, for example because the port is in use.
   */
  static async start(port: number, say: (sentence: string) => void): Promise<ApiServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-'));
    try {
      const child = await run(folder, port);
      const connection = await loadConnection({ kubeconfig: kubeconfigIn(folder) });
      return new ApiServerProcess({ folder, child, connection, say });
    } catch (error) {
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  get url(): string {
    return this.connection.server;
  }
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    process.removeListener('exit', this.#endWithUs);
    this.#child.kill('SIGKILL');
    await this.#keeping;
    await rm(this.#folder, { recursive: true });
  }

  /** Restarts the server each time the process exits. Resolves after disposal, or after a failed restart, which it reports with `say`. */
  async #keepRunning(): Promise<void> {
    for (;;) {
      if (isRunning(this.#child)) await once(this.#child, 'exit');
      if (this.#stopped) return;
      this.#say('the API server exited; restarting it');
      try {
        this.#child = await run(this.#folder, Number(new URL(this.url).port));
      } catch (error) {
        return this.#say(`cannot restart the API server: ${messageOf(error)}`);
      }
      // Stops a server that became ready after the disposal.
      if (this.#stopped) this.#child.kill('SIGKILL');
      else this.#say(`the API server is available again as process ${this.pid}`);
    }
  }
}

interface Parts {
  readonly folder: string;
  readonly say: (sentence: string) => void;
}

/** Starts the process of a server. Resolves when the server is ready. Rejects with the last error line if the process exits first. */
async function run(folder: string, port: number): Promise<ChildProcess> {
  const args = [program, '--data', join(folder, 'data'), '--workloads', '--port', String(port)];
  // The server has its own process group, so that Ctrl-C does not stop it. The operator needs the server until the operator has stopped.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const ready = 'kubewright-apiserver: ready ';
  let lastLine = '';
  for await (const line of createInterface({ input: child.stderr })) {
    lastLine = line;
    if (line.startsWith(ready)) break;
  }
  // Discards further output, because a full pipe would block the server.
  child.stderr.resume();
  if (lastLine.startsWith(ready)) return child;
  throw new Error(lastLine.replace(/^kubewright-apiserver: /, ''));
}

function kubeconfigIn(folder: string): string {
  return join(folder, 'data', 'kubeconfig');
}
function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
