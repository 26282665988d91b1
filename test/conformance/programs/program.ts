import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestEnvironment } from '@kubewright/testing';
import { inheritedFlags } from '../../programs/inherited-flags.js';

/** A program of this folder in a separate process, with the kubeconfig of a test environment or without one. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<unknown[]>;
  #out = '';
  #onText: () => void = () => undefined;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.#ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#out += text;
        this.#onText();
      });
    }
  }

  static async start(name: string, args: readonly string[], env?: TestEnvironment): Promise<Program> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-program-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await env?.writeKubeconfig(kubeconfig);
    const file = fileURLToPath(new URL(`${name}.js`, import.meta.url));
    const environment = { PATH: process.env['PATH'], HOME: folder, ...(env && { KUBECONFIG: kubeconfig }) };
    const child = spawn(process.execPath, [...inheritedFlags, file, ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Program(child, folder);
  }

  /** Resolves when the program has written the text. Rejects if the program ends without writing the text. */
  async untilPrinted(text: string): Promise<void> {
    const printed = new Promise<void>((resolve) => {
      this.#onText = () => {
        if (this.#out.includes(text)) resolve();
      };
      this.#onText();
    });
    const ended = this.#ended.then(() => {
      if (!this.#out.includes(text)) throw new Error(`the program ended without '${text}': ${this.#out}`);
    });
    await Promise.race([printed, ended]);
  }
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
  /** Resolves when the program has ended, with the exit code or the signal and its complete output. */
  async ended(): Promise<{ readonly code: unknown; readonly signal: unknown; readonly out: string }> {
    const [code, signal] = await this.#ended;
    return { code, signal, out: this.#out };
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
    await rm(this.#folder, { recursive: true });
  }
}
