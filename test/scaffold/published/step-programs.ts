import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Settings of a program of a step. */
export interface ProgramSettings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Time limit of a step in milliseconds. */
const LIMIT_MS = 5 * 60_000;

/** A program with all of its child processes, as in a terminal. */
export class StepProgram implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number>;
  readonly #command: string;
  #text = '';

  constructor(command: string, args: readonly string[], { cwd, env }: ProgramSettings) {
    this.#command = [command, ...args].join(' ');
    this.#child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
      });
    }
    this.#ended = once(this.#child, 'close').then(([code, signal]) =>
      exitCodeOf(code as number | null, signal as string),
    );
  }

  /** The output of the program so far. */
  get text(): string {
    return this.#text;
  }
  /** Returns an error that contains the command, the reason and the output of the program. */
  failure(why: string): Error {
    return new Error(`${this.#command} ${why}:\n${this.#text}`);
  }

  /** Waits until the program has ended and returns its output. Rejects with the output if the program fails. */
  async done(): Promise<string> {
    const timer = setTimeout(() => this.#signal('SIGKILL'), LIMIT_MS);
    const code = await this.#ended;
    clearTimeout(timer);
    if (code !== 0) throw this.failure(`ended with ${code}`);
    return this.#text;
  }

  /** Waits until a condition is true. Rejects if the program ends before that, or after one minute. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + 60_000;
    let code: number | undefined;
    this.#ended.then(
      (ended) => {
        code = ended;
      },
      () => undefined,
    );
    while (!(await isSo())) {
      if (code !== undefined) throw this.failure(`ended with ${code} before ${what}`);
      if (performance.now() > end) throw this.failure(`did not reach this condition within a minute: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends Ctrl-C. Rejects with the output if the program does not end successfully. */
  async interrupt(): Promise<void> {
    this.#signal('SIGINT');
    const timer = setTimeout(() => this.#signal('SIGKILL'), 30_000);
    const code = await this.#ended;
    clearTimeout(timer);
    if (code !== 0 && code !== 130) throw this.failure(`ended with ${code} after Ctrl-C`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The program has ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Returns the exit code as in a shell, because npm ends itself with the signal that it received. */
function exitCodeOf(code: number | null, signal: string): number {
  return code ?? (signal === 'SIGINT' ? 130 : 137);
}
