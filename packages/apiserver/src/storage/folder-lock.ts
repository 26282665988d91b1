import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';

const suffix = '.lock';

/** A process, such that no other one is ever taken for it: its number alone is given again. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When it began; empty where the system does not tell. */
  readonly begun: string;
}

/**
 * Keeps a folder for one server. Each server puts up a file that names its process and then looks at the others': of two
 * that begin at the same time, the one that looks last sees the other. A file whose process is gone is removed.
 */
export class FolderLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** Throws DATA_LOCKED while another server, in this process or elsewhere, has the folder. */
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
  if (holder.host !== hostname()) throw locked(folder, `a process on the host ${holder.host}`, name);
  if (isAlive(holder)) throw locked(folder, `the process ${holder.pid}`, name);
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
    // EPERM: it is there, and somebody else's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return begun === '' || beginOf(pid) === begun;
}

/** When a process of a Linux machine began; undefined for one that is not there or has died, and elsewhere. */
function beginOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may hold anything; what follows the last bracket does not.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot}-${fields[18]}`;
  } catch {
    // Gone meanwhile.
    return undefined;
  }
}

function locked(folder: string, who: string, name: string): KubewrightError {
  const message = `${folder} is in use by ${who}; stop it, take another folder, or remove ${name} from it if you are sure that it is gone`;
  return new KubewrightError('DATA_LOCKED', message);
}
