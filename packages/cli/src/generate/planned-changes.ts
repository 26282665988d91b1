import { changesOf, type FileChanges, type ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { isUserFile } from '../manifests/manifests-of.js';
import { configFiles } from '../project/config-files.js';

/** An existing file that `kubewright generate` does not overwrite. */
export interface SkippedFile {
  readonly path: string;
  /** The reason: 'user-owned' for a file that belongs to the user, and 'no-header' for a file without the header of generated files. */
  readonly reason: 'user-owned' | 'no-header';
}

/** The files to write and to delete, and the files that are not overwritten. */
export interface PlannedChanges extends Required<FileChanges> {
  readonly skipped: readonly SkippedFile[];
}

/**
 * Compares the files of a project with the desired files, and returns the necessary changes. Does not overwrite existing files that belong
 * to the user or that do not have the header of generated files. Deletes files with the header that are not among the desired files.
 */
export async function plannedChanges(root: string, desired: ProjectFiles): Promise<PlannedChanges> {
  const found = await configFiles(root);
  const skipped = [...desired.keys()].flatMap((path): readonly SkippedFile[] => {
    const text = found.get(path);
    if (text === undefined) return [];
    if (isUserFile(path)) return [{ path, reason: 'user-owned' }];
    return text.startsWith(GENERATED) ? [] : [{ path, reason: 'no-header' }];
  });
  const skippedPaths = new Set(skipped.map(({ path }) => path));
  const remove = [...found].filter(([path, text]) => text.startsWith(GENERATED) && !desired.has(path));
  const changes = await changesOf(root, {
    write: new Map([...desired].filter(([path]) => !skippedPaths.has(path))),
    remove: remove.map(([path]) => path).toSorted(),
  });
  return { ...changes, skipped };
}
