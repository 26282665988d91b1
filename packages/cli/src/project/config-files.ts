import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ProjectFiles } from 'create-operator';

/** What is in the config folder of a project, generated and not, by path from its root; nothing where there is no such folder. */
export async function configFiles(root: string): Promise<ProjectFiles> {
  const entries = await readdir(join(root, 'config'), { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path): Promise<readonly [string, string]> => {
    return [relative(root, path).replaceAll(sep, '/'), await readFile(path, 'utf8')];
  });
  return new Map(await Promise.all(texts));
}
