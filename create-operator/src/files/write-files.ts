import { ScaffoldError } from '../scaffold-error.js';
import type { FileChanges } from './file-changes.js';
import { pathIn } from './path-in.js';
import { reasonOf } from './reason-of.js';
import { StagedChanges } from './staged-changes.js';

/**
 * Writes and deletes files of a folder: all of them, or none. First writes each text next to its target, so that a full disk or a missing
 * permission is detected before any file changes. Then renames the new files to their targets. If a step fails, restores the previous
 * files, deletes the folders that it created, and throws FILES_NOT_WRITTEN, or INVALID_PATH for an invalid path. Also deletes folders that
 * become empty.
 *
 * @example
 * await writeFiles(root, await changesOf(root, { write: files }));
 */
export async function writeFiles(root: string, changes: FileChanges): Promise<void> {
  const staged = new StagedChanges(root);
  let path = '.';
  try {
    for (const [file, text] of changes.write) {
      path = file;
      await staged.write(pathIn(root, file), text);
    }
    for (const file of changes.remove ?? []) {
      path = file;
      await staged.remove(pathIn(root, file));
    }
    await staged.commit((file) => {
      path = file;
    });
  } catch (error) {
    const unrestored = await staged.rollBack();
    if (error instanceof ScaffoldError && unrestored.length === 0) throw error;
    const outcome = unrestored.length === 0 ? 'no file was changed' : `not restored: ${unrestored.join(', ')}`;
    throw new ScaffoldError('FILES_NOT_WRITTEN', `cannot write ${path} in ${root}: ${reasonOf(error)}; ${outcome}`, {
      cause: error,
    });
  }
  await staged.tidy();
}
