import { join } from 'node:path';
import type { Project } from './project.js';
import { readTsconfig } from './tsconfig.js';

/**
 * Returns the path of the file in which tsc stores build information (`tsBuildInfoFile`). The file is in the output folder instead of the
 * default folder, the root of the project. Returns undefined if the project configures build information or references other projects.
 */
export async function compilerNotes({ root, outFolder }: Project): Promise<string | undefined> {
  const { composite, incremental, tsBuildInfoFile, hasReferences } = await readTsconfig(join(root, 'tsconfig.json'));
  const writesBuildInfo = composite === true || incremental === true || tsBuildInfoFile !== undefined;
  return writesBuildInfo || hasReferences === true ? undefined : join(outFolder, '.tsbuildinfo');
}

/** Returns the arguments of tsc for watch mode. Uses `-b` only for projects with references, because `-b` is slower than `-p`. */
export async function watchingCall(project: Project): Promise<readonly string[]> {
  const { hasReferences } = await readTsconfig(join(project.root, 'tsconfig.json'));
  return hasReferences === true ? ['-b', '.'] : ['-p', '.', ...notingIn(await compilerNotes(project))];
}

/** Returns the arguments of tsc that set the path of the build information; an empty list if `notes` is undefined. */
export function notingIn(notes: string | undefined): readonly string[] {
  return notes === undefined ? [] : ['--incremental', '--tsBuildInfoFile', notes];
}
