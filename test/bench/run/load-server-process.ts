import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadServerReady } from '../load/load-server.js';
import type { AssignedWork, Work } from '../operator/work.js';

const program = fileURLToPath(new URL('../load/load-server.js', import.meta.url));

/** The load server in its own process. */
export class LoadServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ready: LoadServerReady;

  private constructor(child: ChildProcess, ready: LoadServerReady) {
    this.#child = child;
    this.#ready = ready;
  }

  /** Starts the server. */
  static async start(): Promise<LoadServerProcess> {
    const child = fork(program, {
      execArgv: ['--max-old-space-size=4096'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(() => undefined);
    const message = await Promise.race([once(child, 'message'), ended]);
    if (message === undefined) throw new Error('the load server ended before it was ready');
    return new LoadServerProcess(child, message[0] as LoadServerReady);
  }

  /** Generates the objects of a work, forgets earlier changes, and returns the work with the addresses of this server. */
  async assign(work: Work): Promise<AssignedWork> {
    const { apiPort, controlPort, ca } = this.#ready;
    const control = `http://127.0.0.1:${controlPort}`;
    const { kind, objects = 0 } = work;
    const query = `kind=${kind}&count=${objects}`;
    const { ok } = await fetch(`${control}/prepare?${query}`, { method: 'POST' });
    if (!ok) throw new Error(`the load server could not prepare ${objects} ${kind}`);
    return { ...work, server: `https://127.0.0.1:${apiPort}/n${objects}`, ca, control };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}
