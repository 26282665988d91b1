import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { entriesIfThere } from '../project/if-there.js';

/**
 * Creates a copy of a project with other generated files in an empty folder, and returns the path of the copy. Copies the user's files in
 * config byte by byte. Creates links to all other folders of the project, and to the folders around the project, up to the root of the
 * repository.
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

/** Returns the root of the repository that contains the folder; the folder itself if there is none. */
function repositoryOf(root: string): string {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  return root;
}

/**
 * Creates links to all subfolders of `from` except `but`. On Windows, the links are junctions, which need no special permissions. Files
 * need no links, because a kustomization cannot read files outside of its folder.
 */
async function linkFolders(from: string, { to, but }: { readonly to: string; readonly but: string }): Promise<void> {
  const folders = (await entriesIfThere(from)).filter((entry) => entry.isDirectory() && entry.name !== but);
  await Promise.all(folders.map(({ name }) => symlink(join(from, name), join(to, name), 'junction')));
}
