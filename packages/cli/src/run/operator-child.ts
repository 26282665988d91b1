import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The options of a child process. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the process writes to the streams of this process, or to pipes. @default 'inherit' */
  readonly output?: 'inherit' | 'pipe';
}

/**
 * Starts a module with Node.js in its own process group, so that only this process receives Ctrl-C and forwards it. The child process ends
 * when this process ends.
 */
export function startNode(
  module: string,
  args: readonly string[],
  { cwd, env, output = 'inherit' }: ChildOptions,
): ChildProcess {
  const withParent = new URL('./with-parent.js', import.meta.url).href;
  const nodeArgs = ['--enable-source-maps', '--import', withParent, module, ...args];
  const stdio: StdioOptions = ['ignore', output, output, 'ipc'];
  // Objects may contain integers that JSON does not support.
  return spawn(process.execPath, nodeArgs, { cwd, env, stdio, detached: true, serialization: 'advanced' });
}

/** Returns the path of a module in the folder of another module. */
export function modulePath(name: string, besides: string): string {
  return fileURLToPath(new URL(name, besides));
}

/** The exit code and the signal with which a child process ended. */
export interface ChildEnd {
  /** The exit code as in a shell: 128 plus the signal number if a signal ended the process. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
}

const SIGNAL_NUMBERS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** Resolves when the process has ended; rejects if it could not be started. */
export function childEnd(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (SIGNAL_NUMBERS[signal ?? 'SIGTERM'] ?? 0), signal });
    });
  });
}

/** Sends SIGTERM to the process group of a child, and SIGKILL after the grace period. Resolves when the child has ended. */
export async function endChild(child: ChildProcess, ended: Promise<unknown>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

/** Sends a signal to the process group of a child, because the compiler may be a grandchild whose parent does not forward signals. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The process has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
