import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf } from '@kubewright/testing';
import type { Sample } from './sample.js';

/** Controls the operator of a soak test. The operator runs in its own process. */
export class SoakOperator implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts the process. Resolves when the caches of the operator are synced. */
  static async start(connection: Connection): Promise<SoakOperator> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-soak-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(connection), { mode: 0o600 });
    const child = fork(fileURLToPath(new URL('./operator-process.js', import.meta.url)), {
      env: { ...process.env, KUBECONFIG: kubeconfig },
    });
    const operator = new SoakOperator(child, folder);
    await operator.#reported();
    return operator;
  }

  /** Returns the current measurements of the operator after a garbage collection. */
  sample(): Promise<Sample> {
    const reported = this.#reported();
    this.#child.send('sample');
    return reported;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await exited;
    }
    await rm(this.#folder, { recursive: true });
  }

  async #reported(): Promise<Sample> {
    const ended = new AbortController();
    const exit = once(this.#child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the operator of the soak test has ended');
    });
    try {
      const [sample] = (await Promise.race([once(this.#child, 'message', { signal: ended.signal }), exit])) as [Sample];
      return sample;
    } finally {
      exit.catch(() => undefined);
      ended.abort();
    }
  }
}
