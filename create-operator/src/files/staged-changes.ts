import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { codeOf } from './reason-of.js';

interface StagedFile {
  /** Where the file is, behind any link. */
  readonly place: string;
  /** The new text; none where the file is to go. */
  readonly staged?: string;
  /** A copy of what is there; none where nothing is. */
  readonly backup?: string;
  committed: boolean;
}

/** Changes of a folder which stand beside the places of their files until they are committed. What needs space is done before. */
export class StagedChanges {
  readonly #root: string;
  readonly #suffix = randomBytes(4).toString('hex');
  readonly #files: StagedFile[] = [];
  /** Folders that were made, the outer ones first. */
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
    // The mode of a new file is cut by the umask.
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

  /** Puts everything back, and tells which files it could not, by where their old text is. */
  async rollBack(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const { place, staged, backup, committed } of this.#files.toReversed()) {
      const undone = !committed ? true : await succeeds(backup === undefined ? rm(place) : rename(backup, place));
      if (!undone) left.push(relative(this.#root, backup ?? place));
      await Promise.allSettled([staged !== undefined && rm(staged, { force: true }), undone && removed(backup)]);
    }
    await removeEmpty(this.#folders.toReversed());
    return left;
  }

  /** Removes what was kept for a way back, and folders that a removal left empty. What of that fails does no harm. */
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

/** A linked file is written where it is, and the link stays. */
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

/** The folders from the inner one outwards, up to the outer one, which is not among them. */
function foldersBetween(outer: string, inner: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = inner; folder.length > outer.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Those that hold something stay, and so do the ones around them. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    if (!(await succeeds(rmdir(folder)))) return;
  }
}
