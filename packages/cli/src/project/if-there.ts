import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { KubewrightError, messageOf } from '@kubewright/api/errors';

/** Why a file cannot be read, and what to do about it, by the code of Node.js. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; give yourself the right to read it',
  EPERM: 'permission denied; give yourself the right to read it',
  EISDIR: 'it is a folder, and a file is expected there; move it away',
  ENOTDIR: 'a file is where a folder is expected; move it away',
  ELOOP: 'its links lead in a circle; make them lead to a file',
};

/**
 * The text of a file; undefined only where there is none.
 * @throws KubewrightError UNREADABLE naming the path, where something else prevents it
 */
export async function textIfThere(path: string): Promise<string | undefined> {
  return await ifThere(path, readFile(path, 'utf8'));
}

/**
 * The text of a file that is there.
 * @throws KubewrightError UNREADABLE naming the path, where something prevents it
 */
export async function textOf(path: string): Promise<string> {
  const text = await textIfThere(path);
  if (text === undefined) throw new KubewrightError('UNREADABLE', `cannot read ${path}: it is not there any more`);
  return text;
}

/** What is in a folder. */
type Entries = Awaited<ReturnType<typeof entries>>;

/**
 * What is in a folder, and with `recursive` in those below; nothing only where there is no such folder.
 * @throws KubewrightError UNREADABLE naming the path, where something else prevents it
 */
export async function entriesIfThere(folder: string, { recursive = false } = {}): Promise<Entries> {
  return (await ifThere(folder, entries(folder, recursive))) ?? [];
}

async function entries(folder: string, recursive: boolean) {
  return await readdir(folder, { recursive, withFileTypes: true });
}

/**
 * Begins to watch a folder; undefined only where there is no such folder.
 * @throws KubewrightError UNREADABLE naming the path, where something else prevents it
 */
export function watchIfThere(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, (_event, name) => onChange(name));
  } catch (error) {
    return nothingIfMissing(error, folder);
  }
}

async function ifThere<T>(path: string, read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    return nothingIfMissing(error, path);
  }
}

function nothingIfMissing(error: unknown, path: string): undefined {
  const { code = '', path: at = path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return undefined;
  throw new KubewrightError('UNREADABLE', `cannot read ${at}: ${REASONS[code] ?? messageOf(error)}`, { cause: error });
}
