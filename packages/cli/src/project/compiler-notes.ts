import { join } from 'node:path';
import type { Project } from './project.js';
import { readTsconfig } from './tsconfig.js';

/**
 * The file in which the compiler of a project is to note what it has done: in the folder of its output, since it would do so beside
 * package.json. Undefined where the project says it itself, or refers to other projects.
 */
export async function compilerNotes({ root, outFolder }: Project): Promise<string | undefined> {
  const { composite, incremental, tsBuildInfoFile, hasReferences } = await readTsconfig(join(root, 'tsconfig.json'));
  const isSaid = composite === true || incremental === true || tsBuildInfoFile !== undefined;
  return isSaid || hasReferences === true ? undefined : join(outFolder, '.tsbuildinfo');
}

/** What a compiler that goes on is called with. What a project refers to is compiled as well by `-b` alone, which is slower. */
export async function watchingCall(project: Project): Promise<readonly string[]> {
  const { hasReferences } = await readTsconfig(join(project.root, 'tsconfig.json'));
  return hasReferences === true ? ['-b', '.'] : ['-p', '.', ...notingIn(await compilerNotes(project))];
}

/** How the compiler is told where to note what it has done; nothing where the project says it. */
export function notingIn(notes: string | undefined): readonly string[] {
  return notes === undefined ? [] : ['--incremental', '--tsBuildInfoFile', notes];
}
