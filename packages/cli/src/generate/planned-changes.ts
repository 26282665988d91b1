import { changesOf, type FileChanges, type ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { isUserFile } from '../manifests/manifests-of.js';
import { configFiles } from '../project/config-files.js';

/** A file that is not written, and the reason. */
export interface LeftFile {
  readonly path: string;
  /**
   * 'yours': the file was created once and belongs to the user. 'no-header': the file does not start with the header of generated files.
   */
  readonly because: 'yours' | 'no-header';
}

/** The changes of a project's generated files. */
export interface PlannedChanges extends Required<FileChanges> {
  readonly left: readonly LeftFile[];
}

/**
 * Returns the changes that make the files of a project match the desired files. Does not change existing files that belong to the user or
 * do not have the header of generated files. Deletes files that have the header and are no longer desired.
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
