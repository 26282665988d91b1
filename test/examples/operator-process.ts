import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf, type TestEnvironment } from '@kubewright/testing';
import { inheritedFlags } from '../programs/inherited-flags.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The exit code and the output of a program that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Options of an operator process. */
export interface OperatorProcessOptions {
  /** Command line arguments. @default none */
  readonly args?: readonly string[];
  /** The connection in the kubeconfig of the program. @default the administrator's connection */
  readonly connection?: Connection;
  /** The folder that the path of the program is relative to. @default 'examples' */
  readonly folder?: string;
  /** Additional environment variables. @default none */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Runs a program of the repository until it ends. */
export async function run(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  return ended(child);
}

/** Runs a program of an example in its own process, with the kubeconfig of a test environment. */
export class OperatorProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<Ended>;
  #output = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#ended = ended(child);
    child.stdout?.on('data', (chunk: string) => {
      this.#output += chunk;
    });
  }

  /** @param program path of the program relative to the option `folder`, such as `foo/dist/main.js` */
  static async start(
    program: string,
    env: Pick<TestEnvironment, 'connection'>,
    options: OperatorProcessOptions = {},
  ): Promise<OperatorProcess> {
    const { args = [], connection = env.connection, folder: programs = 'examples', variables = {} } = options;
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-example-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(connection), { mode: 0o600 });
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      KUBECONFIG: kubeconfig,
      KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: 'default',
      ...variables,
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const path = join(root, programs, program);
    const child = spawn(process.execPath, [...inheritedFlags, path, ...args], { env: environment, stdio: [...stdio] });
    return new OperatorProcess(child, folder);
  }

  /** The standard output of the program so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until the standard output matches. Rejects if the program ends without matching output. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#output)) {
      const more = this.#child.stdout && once(this.#child.stdout, 'data');
      const end = await Promise.race([more, this.#ended]);
      if (end !== null && 'code' in end && !pattern.test(this.#output)) {
        throw new Error(`the program ended without ${pattern}: ${end.out}${end.err}`);
      }
    }
  }

  /** Resolves with the result of the program when it has ended. */
  get ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Sends SIGTERM, as the kubelet does, and waits until the program has ended. */
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
