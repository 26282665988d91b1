import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { entriesIfThere } from '../project/if-there.js';

/**
 * Makes, in an empty folder, one that looks like that of a project with other generated files: what the user has in config is copied byte by
 * byte, and the folders around it, as far as its repository goes, lead to where they are. Gives its path.
 */
export async function mirroredProject(root: string, files: ProjectFiles, folder: string): Promise<string> {
  const top = repositoryOf(root);
  const steps = relative(top, root)
    .split(sep)
    .filter((step) => step !== '');
  let [from, to] = [top, join(folder, 'project')];
  for (const step of [...steps, 'config']) {
    await mkdir(to);
    await linkFolders(from, { to, but: step });
    [from, to] = [join(from, step), join(to, step)];
  }
  const mirrored = dirname(to);
  for (const [path, text] of files) {
    const [own, copy] = [join(root, path), join(mirrored, path)];
    await mkdir(dirname(copy), { recursive: true });
    if (text.startsWith(GENERATED) || !existsSync(own)) await writeFile(copy, text);
    else await copyFile(own, copy);
  }
  return mirrored;
}

/** The folder of the repository that a folder is in; itself where it is in none. */
function repositoryOf(root: string): string {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  return root;
}

/** Junctions, which need no rights on Windows; files are not needed, since a kustomization takes none from outside of its folder. */
async function linkFolders(from: string, { to, but }: { readonly to: string; readonly but: string }): Promise<void> {
  const folders = (await entriesIfThere(from)).filter((entry) => entry.isDirectory() && entry.name !== but);
  await Promise.all(folders.map(({ name }) => symlink(join(from, name), join(to, name), 'junction')));
}
