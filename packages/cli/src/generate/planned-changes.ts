import { changesOf, type FileChanges, type ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { isUserFile } from '../manifests/manifests-of.js';
import { configFiles } from '../project/config-files.js';

/** A file that is not written, and why. */
export interface LeftFile {
  readonly path: string;
  /** 'yours': it was made once and belongs to the user since. 'no-header': it has not the line that says that it is generated. */
  readonly because: 'yours' | 'no-header';
}

/** What is to become of the generated files of a project. */
export interface PlannedChanges extends Required<FileChanges> {
  readonly left: readonly LeftFile[];
}

/**
 * How the files of a project are to change so that they are as wanted. A file that is there and belongs to the user, or has not our
 * header, is left alone; one that has our header and is not wanted any more goes.
 */
export async function plannedChanges(root: string, wanted: ProjectFiles): Promise<PlannedChanges> {
  const found = await configFiles(root);
  const left = [...wanted.keys()].flatMap((path): readonly LeftFile[] => {
    const text = found.get(path);
    if (text === undefined) return [];
    if (isUserFile(path)) return [{ path, because: 'yours' }];
    return text.startsWith(GENERATED) ? [] : [{ path, because: 'no-header' }];
  });
  const leftPaths = new Set(left.map(({ path }) => path));
  const remove = [...found].filter(([path, text]) => text.startsWith(GENERATED) && !wanted.has(path));
  const changes = await changesOf(root, {
    write: new Map([...wanted].filter(([path]) => !leftPaths.has(path))),
    remove: remove.map(([path]) => path).toSorted(),
  });
  return { ...changes, left };
}
