import { readdir } from 'node:fs/promises';
import { changesOf } from '../files/changes-of.js';
import type { ProjectFiles } from '../files/project-files.js';
import { codeOf, reasonOf } from '../files/reason-of.js';
import { ScaffoldError } from '../scaffold-error.js';

/** What stands in a folder before a project does, and says nothing against it. */
const HARMLESS = /^(\..*|LICEN[CS]E.*|COPYING.*)$/i;
const LISTED = 8;

/** Whether a folder is asked to have files of others. */
export interface FolderOptions {
  readonly force: boolean;
}

/**
 * What of the files is to be written into the folder: all, or none where all of them are there already. Throws FOLDER_NOT_EMPTY for
 * a folder with files of others, and always where one of them has the name of one of ours; and FILES_NOT_WRITTEN.
 */
export async function checkFolder(root: string, files: ProjectFiles, { force }: FolderOptions): Promise<ProjectFiles> {
  const present = await entriesOf(root);
  const { write } = await changesOf(root, { write: files });
  if (write.size === 0) return write;
  const { remove: existing } = await changesOf(root, { write: new Map(), remove: [...files.keys()] });
  const taken = existing.filter((path) => write.has(path));
  const others = present.filter((entry) => !HARMLESS.test(entry));
  if (taken.length > 0) {
    throw notEmpty(root, taken, 'move them away, or name another folder');
  }
  if (others.length > 0 && !force) {
    throw notEmpty(root, others, 'name another folder, or say --force to make the project beside them');
  }
  return write;
}

async function entriesOf(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(root)).toSorted();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    const reason = code === 'ENOTDIR' ? 'it is a file; name another folder' : reasonOf(error);
    throw new ScaffoldError('FOLDER_NOT_EMPTY', `cannot make a project in ${root}: ${reason}`, { cause: error });
  }
}

function notEmpty(root: string, entries: readonly string[], cure: string): ScaffoldError {
  const listed = entries.slice(0, LISTED).join(', ');
  const rest = entries.length > LISTED ? ` and ${entries.length - LISTED} more` : '';
  return new ScaffoldError(
    'FOLDER_NOT_EMPTY',
    `cannot make a project in ${root}: it has ${listed}${rest} already; ${cure}`,
  );
}
