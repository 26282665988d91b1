import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { KubewrightError, messageOf } from '@kubewright/api/errors';

/** The reason and the suggestion for each Node.js error code of a failed read. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; grant yourself read permission',
  EPERM: 'permission denied; grant yourself read permission',
  EISDIR: 'the path is a folder instead of a file; move the folder away',
  ENOTDIR: 'a parent of the path is a file instead of a folder; move the file away',
  ELOOP: 'the symbolic links form a loop; link to a file',
};

/**
 * Reads a text file. Returns undefined if the file does not exist.
 * @throws KubewrightError UNREADABLE if the file exists but cannot be read
 */
export async function textIfExists(path: string): Promise<string | undefined> {
  return await ifExists(path, readFile(path, 'utf8'));
}

/**
 * Reads a text file that must exist.
 * @throws KubewrightError UNREADABLE if the file does not exist or cannot be read
 */
export async function textOf(path: string): Promise<string> {
  const text = await textIfExists(path);
  if (text === undefined) throw new KubewrightError('UNREADABLE', `cannot read ${path}: the file no longer exists`);
  return text;
}

/** The files and subfolders of a folder, as `readdir` returns them. */
type Entries = Awaited<ReturnType<typeof entries>>;

/**
 * Lists the entries of a folder and, with `recursive`, of all subfolders. Returns an empty list if the folder does not exist.
 * @throws KubewrightError UNREADABLE if the folder exists but cannot be read
 */
export async function entriesIfExists(folder: string, { recursive = false } = {}): Promise<Entries> {
  return (await ifExists(folder, entries(folder, recursive))) ?? [];
}

async function entries(folder: string, recursive: boolean) {
  return await readdir(folder, { recursive, withFileTypes: true });
}

/**
 * Watches a folder, without subfolders. Returns undefined if the folder does not exist.
 * @throws KubewrightError UNREADABLE if the folder exists but cannot be watched
 */
export function watchIfExists(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, (_event, name) => onChange(name));
  } catch (error) {
    return nothingIfMissing(error, folder);
  }
}

async function ifExists<T>(path: string, read: Promise<T>): Promise<T | undefined> {
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
