import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The embedded server of a checkout, started from the shell. */
export class ApiServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** The time from the start of the process to ready, in milliseconds. */
  readonly readyMs: number;
  readonly kubeconfig: string;

  private constructor(child: ChildProcess, started: { readonly readyMs: number; readonly kubeconfig: string }) {
    this.#child = child;
    this.readyMs = started.readyMs;
    this.kubeconfig = started.kubeconfig;
  }

  /** Starts the server of the checkout `root`, and waits until it is ready. With `data`, the server stores its objects in this folder. */
  static async start({
    root,
    folder,
    data,
  }: {
    readonly root: string;
    readonly folder: string;
    readonly data?: string;
  }): Promise<ApiServerProcess> {
    const kubeconfig = join(folder, 'kubeconfig');
    const program = join(root, 'packages', 'apiserver', 'dist', 'command', 'main.js');
    const args = ['--port', '0', '--kubeconfig', kubeconfig, ...(data === undefined ? [] : ['--data', data])];
    const begun = performance.now();
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    for await (const chunk of child.stderr) {
      output += String(chunk);
      if (output.includes('ready at')) break;
    }
    if (!output.includes('ready at')) throw new Error(`the server did not start: ${output}`);
    return new ApiServerProcess(child, { readyMs: performance.now() - begun, kubeconfig });
  }

  /** Returns the user and system time of the server in milliseconds, with a resolution of 10 ms. */
  cpuMs(): number {
    const { pid = 0 } = this.#child;
    if (process.platform === 'linux') {
      // The fields after the name of the program, which is in parentheses: utime and stime are the 12th and the 13th.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    }
    const [minutes = 0, seconds = 0] = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(':')
      .slice(-2)
      .map(Number);
    return (minutes * 60 + seconds) * 1000;
  }

  /** Returns the resident memory of the server in megabytes. */
  residentMegabytes(): number {
    const { pid = 0 } = this.#child;
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return (Number(kilobytes) * 1024) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
