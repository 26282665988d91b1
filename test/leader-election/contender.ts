import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@kubewright/runtime';
import { kubeconfigOf } from '@kubewright/testing';
import type { Report } from './report.js';
import { inheritedFlags } from '../programs/inherited-flags.js';

const ours = [process.execPath, ...inheritedFlags, fileURLToPath(new URL('./contending.js', import.meta.url))];

/** Options of a contender. */
export interface ContenderOptions {
  readonly identity: string;
  readonly connection: Connection;
  /** The name of the Lease, in the namespace default. */
  readonly lease: string;
  readonly times: { readonly duration: string; readonly renewDeadline: string; readonly retryPeriod: string };
  /** Whether the process releases the Lease when the process is stopped. @default false */
  readonly release?: boolean;
  /** A program with the same flags and output. @default the program of Kubewright */
  readonly command?: readonly string[];
}

/** A process that competes for a Lease. */
export class Contender implements AsyncDisposable {
  readonly identity: string;
  readonly releases: boolean;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kubewright-contender-'));
  #output = '';

  constructor(options: ContenderOptions, onReport: (report: Report) => void) {
    const { identity, lease, times, release = false, command = ours } = options;
    this.identity = identity;
    this.releases = release;
    const kubeconfig = join(this.#folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf(options.connection), { mode: 0o600 });
    const [file = '', ...first] = command;
    const flags = {
      kubeconfig,
      name: lease,
      identity,
      duration: times.duration,
      'renew-deadline': times.renewDeadline,
      'retry-period': times.retryPeriod,
    };
    const args = [...first, ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)];
    const env = { PATH: process.env['PATH'], HOME: this.#folder, END_WITH_STDIN: '1' };
    this.#child = spawn(file, release ? [...args, '--release'] : args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#closed = once(this.#child, 'close');
    this.#child.stderr?.on('data', (chunk: unknown) => {
      this.#output = `${this.#output}${String(chunk)}`.slice(-4000);
    });
    const { stdout } = this.#child;
    if (stdout !== null) {
      createInterface({ input: stdout }).on('line', (line) => onReport(JSON.parse(line) as Report));
    }
  }

  /** The last 4,000 characters that the process wrote to its standard error. */
  get output(): string {
    return this.#output;
  }
  /** Sends SIGTERM; resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#closed;
  }
  /** Kills the process, as in a power failure. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
  /** Pauses the process until `resume` is called. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }
  resume(): void {
    this.#child.kill('SIGCONT');
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
