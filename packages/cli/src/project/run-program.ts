import { spawn } from 'node:child_process';

/** The options of `runProgram`. */
export interface ProgramOptions {
  readonly cwd: string;
  /** The environment variables of the program. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** Terminates the program when the signal aborts. @default the program cannot be terminated */
  readonly signal?: AbortSignal;
}

/** The exit code and the output of a program. */
export interface ProgramRun {
  /** The exit code; -1 if a signal ended the program. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program without input, and resolves when the program has exited, with any exit code. Rejects if the program cannot be started, and
 * with an AbortError if the signal aborts.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env && { env }),
      ...(signal && { signal }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({
        exitCode: code ?? -1,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
      });
    });
  });
}
