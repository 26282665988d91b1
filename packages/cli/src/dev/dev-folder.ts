import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../project/project.js';

/** Creates the folder `.kubewright` of a project, in which `kubewright dev` stores files. Git ignores the folder. Returns its path. */
export async function devFolder({ root }: Project): Promise<string> {
  const folder = join(root, '.kubewright');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n');
  return folder;
}
