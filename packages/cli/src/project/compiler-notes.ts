import { join } from 'node:path';
import type { Project } from './project.js';
import { readTsconfig } from './tsconfig.js';

/**
 * Returns the path for the build information of the compiler. The path is in the output folder, because the default path is next to
 * package.json. Returns undefined if the project configures the build information or references other projects.
 */
export async function compilerNotes({ root, outFolder }: Project): Promise<string | undefined> {
  const { composite, incremental, tsBuildInfoFile, hasReferences } = await readTsconfig(join(root, 'tsconfig.json'));
  const isSaid = composite === true || incremental === true || tsBuildInfoFile !== undefined;
  return isSaid || hasReferences === true ? undefined : join(outFolder, '.tsbuildinfo');
}

/** Returns the arguments of the compiler for watch mode. Only `-b` also compiles referenced projects, but `-b` is slower. */
export async function watchingCall(project: Project): Promise<readonly string[]> {
  const { hasReferences } = await readTsconfig(join(project.root, 'tsconfig.json'));
  return hasReferences === true ? ['-b', '.'] : ['-p', '.', ...notingIn(await compilerNotes(project))];
}

/** Returns the arguments that set the path of the build information; an empty list if `notes` is undefined. */
export function notingIn(notes: string | undefined): readonly string[] {
  return notes === undefined ? [] : ['--incremental', '--tsBuildInfoFile', notes];
}
