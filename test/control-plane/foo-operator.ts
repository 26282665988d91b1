import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ControlPlaneBinaries, type TestEnvironment } from '@kubewright/testing';
import { inheritedFlags } from '../programs/inherited-flags.js';

/** A program that reconciles Foos in its own process. Its only input is a kubeconfig. */
export class FooOperator implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    child.stderr?.on('data', (chunk: unknown) => {
      this.#output += String(chunk);
    });
  }

  /** Returns the path of the sample-controller of Kubernetes, in Go. Returns undefined if no control plane binaries are installed. */
  static upstreamPath(): string | undefined {
    const folder = ControlPlaneBinaries.find()?.folder;
    return folder === undefined ? undefined : join(folder, 'sample-controller');
  }

  static async upstream(env: TestEnvironment): Promise<FooOperator> {
    return FooOperator.#start(env, (kubeconfig) => [FooOperator.upstreamPath() ?? '', '-kubeconfig', kubeconfig]);
  }

  /** Starts the example of this repository. */
  static async ours(env: TestEnvironment): Promise<FooOperator> {
    const main = fileURLToPath(new URL('../../../examples/foo/dist/main.js', import.meta.url));
    return FooOperator.#start(env, () => [process.execPath, ...inheritedFlags, main]);
  }

  /** The text that the program has written to its standard error. */
  get output(): string {
    return this.#output;
  }

  /** Sends SIGTERM and waits until the process has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#folder, { recursive: true });
  }

  static async #start(env: TestEnvironment, command: (kubeconfig: string) => readonly string[]): Promise<FooOperator> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-foo-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await env.writeKubeconfig(kubeconfig);
    const [file = '', ...args] = command(kubeconfig);
    const environment = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfig };
    const child = spawn(file, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    return new FooOperator(child, folder);
  }
}
