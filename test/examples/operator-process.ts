import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf, type TestEnvironment } from '@kubewright/testing';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program of the repository to its end. */
export async function run(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  return ended(child);
}

/** A program of an example in a process of its own, with the kubeconfig of a test environment. */
export class OperatorProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<Ended>;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#ended = ended(child);
  }

  /** `program` is below the folder, such as `foo/dist/main.js`; it comes as the administrator, unless another connection is given. */
  static async start(
    program: string,
    env: TestEnvironment,
    { connection = env.connection, folder: programs = 'examples' }: { connection?: Connection; folder?: string } = {},
  ): Promise<OperatorProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-example-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(connection), { mode: 0o600 });
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      KUBECONFIG: kubeconfig,
      KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: 'default',
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, [join(root, programs, program)], { env: environment, stdio: [...stdio] });
    return new OperatorProcess(child, folder);
  }

  /** Asks it to stop, as a kubelet does, and waits until it has. */
  async terminate(): Promise<Ended> {
    this.#child.kill('SIGTERM');
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    await rm(this.#folder, { recursive: true });
  }
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
