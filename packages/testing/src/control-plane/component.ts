import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { KubewrightError } from '@kubewright/api/errors';

const shownLines = 15;

/** The command line and the log of a program. */
export interface ComponentOptions {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** The file to which the output of the program is appended. */
  readonly logFile: string;
  /** The time between SIGTERM and SIGKILL, in milliseconds. @default 5000 */
  readonly graceMs?: number;
}

/**
 * A running program of a control plane. The program ends when this process exits. Kubewright's builds of the programs also end if this
 * process is killed.
 */
export class Component {
  readonly name: string;
  readonly #child: ChildProcess;
  /** Resolves when the program has ended or could not be started. */
  readonly ended: Promise<void>;
  readonly #logFile: string;
  readonly #graceMs: number;
  readonly #endWithUs = (): void => void this.#child.kill('SIGKILL');
  #failure: Error | undefined;

  constructor({ name, path, args, logFile, graceMs = 5000 }: ComponentOptions) {
    this.name = name;
    this.#logFile = logFile;
    this.#graceMs = graceMs;
    const log = openSync(logFile, 'a');
    // Standard input is an unused pipe. Kubewright's builds of the programs end when the pipe closes.
    this.#child = spawn(path, args, {
      stdio: ['pipe', log, log],
      env: { ...process.env, END_WITH_STDIN: '1' },
    });
    closeSync(log);
    process.once('exit', this.#endWithUs);
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        process.removeListener('exit', this.#endWithUs);
        resolve();
      };
      this.#child.once('exit', end);
      this.#child.once('error', (error) => {
        this.#failure = error;
        end();
      });
    });
  }

  get isRunning(): boolean {
    return this.#failure === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Throws COMPONENT_ENDED, with the last lines of the output, if the program is not running. */
  check(): void {
    if (this.isRunning) return;
    const how = this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
    throw new KubewrightError(
      'COMPONENT_ENDED',
      `cannot run a control plane: ${this.name} exited (${how}):\n${this.lastLines()}`,
      {
        cause: this.#failure,
      },
    );
  }

  lastLines(): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-shownLines).join('\n');
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), this.#graceMs);
    await this.ended;
    clearTimeout(killTimer);
  }

  /** Kills the program without a graceful shutdown, like a power failure. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
