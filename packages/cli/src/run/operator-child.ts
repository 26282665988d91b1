import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The options of `startNode`. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** 'inherit' if the child process writes to the streams of this process, or 'pipe' if the caller reads the output. @default 'inherit' */
  readonly output?: 'inherit' | 'pipe';
}

/**
 * Runs a module in a child process of Node.js. The child has its own process group, so that a terminal does not send SIGINT for Ctrl-C to
 * the child; this process stops the child instead. The child also stops if this process exits.
 */
export function startNode(
  module: string,
  args: readonly string[],
  { cwd, env, output = 'inherit' }: ChildOptions,
): ChildProcess {
  const withParent = new URL('./with-parent.js', import.meta.url).href;
  const nodeArgs = ['--enable-source-maps', '--import', withParent, module, ...args];
  const stdio: StdioOptions = ['ignore', output, output, 'ipc'];
  // The default serialization, JSON, does not support bigint, which objects can contain.
  return spawn(process.execPath, nodeArgs, { cwd, env, stdio, detached: true, serialization: 'advanced' });
}

/** Returns the path of a module. `name` is relative to the URL of the importing module, `besides`. */
export function modulePath(name: string, besides: string): string {
  return fileURLToPath(new URL(name, besides));
}

/** The exit code of a child process, and the signal that terminated the process. */
export interface ChildEnd {
  /** The exit code. As in a shell, 128 plus the signal number if a signal terminated the process. */
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

/** Resolves when the child process has exited. Rejects if the process cannot be started. */
export function childEnd(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (SIGNAL_NUMBERS[signal ?? 'SIGTERM'] ?? 0), signal });
    });
  });
}

/** Sends SIGTERM to the process group of a child, and SIGKILL after the grace period. Resolves when the child has exited. */
export async function endChild(child: ChildProcess, ended: Promise<unknown>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

/** Sends a signal to the whole process group of a child, because a child such as tsc may start a process without forwarding signals. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the process has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
