import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { entriesIfExists } from '../project/if-exists.js';

/**
 * Creates a temporary copy of a project in an empty folder, and returns the path of the copy. kustomize builds the new generated files in
 * this copy, so that the project itself does not change. Writes `files`, and copies the user's files in config unchanged. Links all other
 * folders of the project and of the repository, so that relative paths in kustomizations remain valid.
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

/** Returns the root of the Git repository that contains the folder. Returns the folder itself if it is not in a repository. */
function repositoryOf(root: string): string {
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
  }
  return root;
}

/**
 * Creates links to all subfolders of `from` except `but`. On Windows, the links are junctions, which need no special permissions. Does not
 * link files, because a kustomization cannot read files outside of its own folder.
 */
async function linkFolders(from: string, { to, but }: { readonly to: string; readonly but: string }): Promise<void> {
  const folders = (await entriesIfExists(from)).filter((entry) => entry.isDirectory() && entry.name !== but);
  await Promise.all(folders.map(({ name }) => symlink(join(from, name), join(to, name), 'junction')));
}
