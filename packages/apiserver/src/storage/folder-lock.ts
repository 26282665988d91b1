import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';

const suffix = '.lock';

/** Identifies a process. The start time is part of the identity, because the operating system reuses process ids. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** The start time of the process; empty if the system does not provide the start time. */
  readonly begun: string;
}

/**
 * Locks a folder for one server. Each server creates a lock file whose name identifies the process, and then checks the lock files of other
 * servers. If two servers start at the same time, the server that checks last finds the lock file of the other server. The lock files of
 * processes that have ended are removed.
 */
export class FolderLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Locks a folder. Throws DATA_LOCKED if another server, in this process or another process, uses the folder. */
  static take(folder: string): FolderLock {
    const own = nameOf({ host: hostname(), pid: process.pid, begun: beginOf(process.pid) ?? '' });
    const lock = new FolderLock(join(folder, own));
    try {
      closeSync(openSync(join(folder, own), 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw locked(folder, 'this process', own);
      throw error;
    }
    try {
      for (const name of readdirSync(folder)) if (name.endsWith(suffix) && name !== own) removeStale(folder, name);
    } catch (error) {
      lock.release();
      throw error;
    }
    return lock;
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }
}

function removeStale(folder: string, name: string): void {
  const holder = holderOf(name);
  if (holder === undefined) return;
  if (holder.host !== hostname()) throw locked(folder, `a process on host ${holder.host}`, name);
  if (isAlive(holder)) throw locked(folder, `process ${holder.pid}`, name);
  rmSync(join(folder, name), { force: true });
}

function nameOf({ host, pid, begun }: Holder): string {
  return `${host}_${pid}_${begun}${suffix}`;
}

function holderOf(name: string): Holder | undefined {
  const parts = /^(.*)_(\d+)_([^_]*)\.lock$/.exec(name);
  return parts === null ? undefined : { host: parts[1] ?? '', pid: Number(parts[2]), begun: parts[3] ?? '' };
}

function isAlive({ pid, begun }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return begun === '' || beginOf(pid) === begun;
}

/** Returns the start time of a process on Linux. Returns undefined for a process that does not run, and on other systems. */
function beginOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program can contain any characters; the fields after the last parenthesis cannot contain parentheses.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot}-${fields[18]}`;
  } catch {
    // The process ended during the read.
    return undefined;
  }
}

function locked(folder: string, who: string, name: string): KubewrightError {
  const message = `${folder} is in use by ${who}; stop the server that uses the folder, or use another folder; if no server uses the folder, remove ${name} from the folder`;
  return new KubewrightError('DATA_LOCKED', message);
}
