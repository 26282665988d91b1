import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../project/project.js';

/** Returns the path of the folder `.kubewright` of a project, in which commands store files. The folder may not exist. */
export function devFolderPath({ root }: Project): string {
  return join(root, '.kubewright');
}

/** Creates the folder `.kubewright` of a project. Git ignores the folder. Returns its path. */
export async function devFolder(project: Project): Promise<string> {
  const folder = devFolderPath(project);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n');
  return folder;
}
