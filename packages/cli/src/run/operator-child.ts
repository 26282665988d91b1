import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a child of this process is started. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** @default 'inherit' */
  readonly output?: 'inherit' | 'pipe';
}

/**
 * Starts a module of Node.js in a group of its own, so that a Ctrl-C comes to this process alone, which passes it on. The child is told to
 * end when this process is gone, however that came.
 */
export function startNode(
  module: string,
  args: readonly string[],
  { cwd, env, output = 'inherit' }: ChildOptions,
): ChildProcess {
  const withParent = new URL('./with-parent.js', import.meta.url).href;
  const nodeArgs = ['--enable-source-maps', '--import', withParent, module, ...args];
  const stdio: StdioOptions = ['ignore', output, output, 'ipc'];
  // Objects may have integers that JSON would not take.
  return spawn(process.execPath, nodeArgs, { cwd, env, stdio, detached: true, serialization: 'advanced' });
}

/** The path of a module beside another. */
export function modulePath(name: string, besides: string): string {
  return fileURLToPath(new URL(name, besides));
}

/** How a child has ended. */
export interface ChildEnd {
  /** As a shell would tell it: 128 and the number of the signal where one ended it. */
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

/** Resolves when it has ended; rejects when it could not be started. */
export function childEnd(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ exitCode: code ?? 128 + (SIGNAL_NUMBERS[signal ?? 'SIGTERM'] ?? 0), signal });
    });
  });
}

/** Tells a child to end, with all in its group, and ends it when it has not done so in time. Resolves when it has ended. */
export async function endChild(child: ChildProcess, ended: Promise<unknown>, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
}

/** A compiler may be the child of the program that starts it, which does not pass signals on. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // It has ended in this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
