import { spawn } from 'node:child_process';
import { ScaffoldError } from '../scaffold-error.js';

/** The options of a child process. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts the program. @default never */
  readonly signal?: AbortSignal;
}

/** The result of a program. */
export interface ProgramRun {
  /** The exit code; -1 if a signal ended the program. */
  readonly exitCode: number;
  /** The standard output and the standard error of the program, in the order of arrival. */
  readonly output: string;
}

/**
 * Runs a program without input and waits for its end. Rejects if the program cannot be started. Rejects with CANCELLED if the signal is
 * aborted.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    // On Windows the package managers are scripts, which require a shell. No argument contains a space.
    const shell = process.platform === 'win32' && !program.includes('\\');
    const child = spawn(program, args, {
      cwd,
      env,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal && { signal }),
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => {
      reject(signal?.aborted ? new ScaffoldError('CANCELLED', `canceled: ${program} was terminated`) : error);
    });
    child.once('close', (code) => {
      resolve({ exitCode: code ?? -1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
