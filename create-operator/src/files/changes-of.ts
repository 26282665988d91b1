import { readFile } from 'node:fs/promises';
import { ScaffoldError } from '../scaffold-error.js';
import type { FileChanges } from './file-changes.js';
import { pathIn } from './path-in.js';
import { codeOf, reasonOf } from './reason-of.js';

/**
 * Returns the changes that are still necessary: `write` without the up-to-date files, and `remove` without the absent files. A file that
 * differs only in its line endings is up to date, because git may convert line endings. Throws FILES_NOT_WRITTEN if a path is a folder or a
 * file cannot be read, and INVALID_PATH for a path that is not a relative path inside the folder.
 *
 * @example
 * const { write, remove } = await changesOf(root, { write: new Map([['config/crd/kustomization.yaml', text]]) });
 */
export async function changesOf(root: string, desired: FileChanges): Promise<Required<FileChanges>> {
  const written = await Promise.all(
    [...desired.write].map(async ([path, text]) => ({
      path,
      text,
      differs: (await textOf(root, path)) !== lines(text),
    })),
  );
  const removed = await Promise.all(
    (desired.remove ?? []).map(async (path) => ({ path, exists: (await textOf(root, path)) !== undefined })),
  );
  return {
    write: new Map(written.filter(({ differs }) => differs).map(({ path, text }) => [path, text])),
    remove: removed.filter(({ exists }) => exists).map(({ path }) => path),
  };
}

async function textOf(root: string, path: string): Promise<string | undefined> {
  try {
    return lines(await readFile(pathIn(root, path), 'utf8'));
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof ScaffoldError) throw error;
    throw new ScaffoldError('FILES_NOT_WRITTEN', `cannot read ${path} in ${root}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function lines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
