import { join, relative, sep } from 'node:path';
import type { ProjectFiles } from 'create-operator';
import { entriesIfExists, textOf } from './if-exists.js';

/**
 * Reads all files in the config folder of a project. The keys are paths relative to the project. Returns an empty map if the folder does
 * not exist.
 */
export async function configFiles(root: string): Promise<ProjectFiles> {
  const entries = await entriesIfExists(join(root, 'config'), { recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(
    async (path): Promise<readonly [string, string]> => [relative(root, path).replaceAll(sep, '/'), await textOf(path)],
  );
  return new Map(await Promise.all(texts));
}
