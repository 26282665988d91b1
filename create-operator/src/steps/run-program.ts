import { spawn } from 'node:child_process';
import { ScaffoldError } from '../scaffold-error.js';

/** How a program is to run. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends it. @default never */
  readonly signal?: AbortSignal;
}

/** What became of a program. */
export interface ProgramRun {
  /** -1 where it was ended by a signal. */
  readonly exitCode: number;
  /** What it wrote, to both streams. */
  readonly output: string;
}

/** Runs a program to its end, without input. Rejects where it cannot be started, and with CANCELLED when it is to end. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    // The package managers of Windows are scripts, which only a shell runs; none of the arguments has a space.
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
      reject(signal?.aborted ? new ScaffoldError('CANCELLED', `cancelled: ${program} was ended`) : error);
    });
    child.once('close', (code) => {
      resolve({ exitCode: code ?? -1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
