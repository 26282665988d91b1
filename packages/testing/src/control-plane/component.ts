import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { KubewrightError } from '@kubewright/api/errors';

const shownLines = 15;

/** How a program is run. */
export interface ComponentOptions {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** What it prints goes here, after what is there. */
  readonly logFile: string;
  /** How long it may take to end when it is asked to, in milliseconds. @default 5000 */
  readonly graceMs?: number;
}

/** One program of a control plane, running. It ends with this process, whatever that dies of. */
export class Component {
  readonly name: string;
  readonly #child: ChildProcess;
  /** Resolves when it has ended, or could not be started. */
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
    // Its standard input is a pipe that nobody writes to: our own build ends when it closes.
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

  /** Throws COMPONENT_ENDED, with the last lines of what it said, when it does not run any more. */
  check(): void {
    if (this.isRunning) return;
    const how = this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
    throw new KubewrightError(
      'COMPONENT_ENDED',
      `run a control plane: ${this.name} ended (${how}):\n${this.lastLines()}`,
      {
        cause: this.#failure,
      },
    );
  }

  lastLines(): string {
    return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-shownLines).join('\n');
  }

  /** Asks it to end, and when its time is over makes it end. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), this.#graceMs);
    await this.ended;
    clearTimeout(impatience);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
