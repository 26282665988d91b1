import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { codeOf } from './reason-of.js';

interface StagedFile {
  /** The path of the file, with symbolic links resolved. */
  readonly place: string;
  /** The path of the new text. Undefined if the file is to be deleted. */
  readonly staged?: string;
  /** The path of a copy of the existing file. Undefined if no file exists. */
  readonly backup?: string;
  committed: boolean;
}

/**
 * Changes of files in a folder. Each new text is written next to its target before the commit, so that a full disk is detected before any
 * file changes.
 */
export class StagedChanges {
  readonly #root: string;
  readonly #suffix = randomBytes(4).toString('hex');
  readonly #files: StagedFile[] = [];
  /** Folders that this object created, outer folders first. */
  readonly #folders: string[] = [];

  constructor(root: string) {
    this.#root = resolve(root);
  }

  async write(path: string, text: string): Promise<void> {
    await this.#makeFolder(dirname(path));
    const place = await placeOf(path);
    const staged = this.#beside(place, 'new');
    const present = await stat(place).catch(nothingIfMissing);
    const backup = present && this.#beside(place, 'old');
    this.#files.push({ place, staged, ...(backup !== undefined && { backup }), committed: false });
    await writeFile(staged, text, { flag: 'wx' });
    // The umask reduces the mode of a new file.
    if (present !== undefined) await chmod(staged, present.mode & 0o7777);
    if (backup !== undefined) await copyFile(place, backup);
  }

  async remove(path: string): Promise<void> {
    if (!(await stat(path).catch(nothingIfMissing))) return;
    const backup = this.#beside(path, 'old');
    this.#files.push({ place: path, backup, committed: false });
    await copyFile(path, backup);
  }

  async commit(started: (path: string) => void): Promise<void> {
    for (const file of this.#files) {
      started(relative(this.#root, file.place));
      if (file.staged === undefined) await rm(file.place);
      else await rename(file.staged, file.place);
      file.committed = true;
    }
  }

  /** Restores all files. Returns the paths of the backups that could not be restored, and of the new files that could not be deleted. */
  async rollBack(): Promise<readonly string[]> {
    const unrestored: string[] = [];
    for (const { place, staged, backup, committed } of this.#files.toReversed()) {
      const undone = !committed ? true : await succeeds(backup === undefined ? rm(place) : rename(backup, place));
      if (!undone) unrestored.push(relative(this.#root, backup ?? place));
      await Promise.allSettled([staged !== undefined && rm(staged, { force: true }), undone && removed(backup)]);
    }
    await removeEmpty(this.#folders.toReversed());
    return unrestored;
  }

  /** Deletes the backups, and the folders that became empty. Ignores errors, because the remaining files do not affect the project. */
  async tidy(): Promise<void> {
    await Promise.allSettled(this.#files.map(({ backup }) => removed(backup)));
    for (const { place, staged } of this.#files) {
      if (staged === undefined) await removeEmpty(foldersBetween(this.#root, dirname(place)));
    }
  }

  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true });
    if (first !== undefined) this.#folders.push(...[...foldersBetween(dirname(first), folder)].toReversed());
  }

  #beside(path: string, kind: string): string {
    return join(dirname(path), `.${basename(path)}.${this.#suffix}.${kind}`);
  }
}

/** Resolves a symbolic link, so that the linked file is written and the link stays. */
async function placeOf(path: string): Promise<string> {
  return (await realpath(path).catch(nothingIfMissing)) ?? path;
}

function nothingIfMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

async function succeeds(action: Promise<void>): Promise<boolean> {
  const [{ status }] = await Promise.allSettled([action]);
  return status === 'fulfilled';
}

async function removed(path: string | undefined): Promise<void> {
  if (path !== undefined) await rm(path, { force: true });
}

/** Returns the folders from `inner` up to, but not including, `outer`. */
function foldersBetween(outer: string, inner: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = inner; folder.length > outer.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Deletes empty folders. Stops at the first folder that is not empty. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if (!(await succeeds(rmdir(folder)))) return;
  }
}
