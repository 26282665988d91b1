import { changesOf, type FileChanges, type ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { isUserFile } from '../manifests/manifests-of.js';
import { configFiles } from '../project/config-files.js';

/** An existing file that `kubewright generate` does not overwrite. */
export interface LeftFile {
  readonly path: string;
  /** The reason: 'yours' for a file that belongs to the user, and 'no-header' for a file without the header of generated files. */
  readonly because: 'yours' | 'no-header';
}

/** The files to write and to delete, and the files that are not overwritten. */
export interface PlannedChanges extends Required<FileChanges> {
  readonly left: readonly LeftFile[];
}

/**
 * Compares the files of a project with the desired files, and returns the necessary changes. Does not overwrite existing files that belong
 * to the user or that do not have the header of generated files. Deletes files with the header that are not among the desired files.
 */
export async function plannedChanges(root: string, desired: ProjectFiles): Promise<PlannedChanges> {
  const found = await configFiles(root);
  const left = [...desired.keys()].flatMap((path): readonly LeftFile[] => {
    const text = found.get(path);
    if (text === undefined) return [];
    if (isUserFile(path)) return [{ path, because: 'yours' }];
    return text.startsWith(GENERATED) ? [] : [{ path, because: 'no-header' }];
  });
  const leftPaths = new Set(left.map(({ path }) => path));
  const remove = [...found].filter(([path, text]) => text.startsWith(GENERATED) && !desired.has(path));
  const changes = await changesOf(root, {
    write: new Map([...desired].filter(([path]) => !leftPaths.has(path))),
    remove: remove.map(([path]) => path).toSorted(),
  });
  return { ...changes, left };
}
