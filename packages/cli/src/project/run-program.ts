import { spawn } from 'node:child_process';

/** How a program is to run. */
export interface ProgramOptions {
  readonly cwd: string;
  /** @default that of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the program. @default never */
  readonly signal?: AbortSignal;
}

/** What a program did. */
export interface ProgramRun {
  /** -1 where a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, without input. Rejects when it cannot be started, and with an AbortError when it was to end. */
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
