import { dirname, join, resolve } from 'node:path';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { withoutByteOrderMark } from './byte-order-mark.js';
import { compiledFolders } from './compiled-folders.js';
import { textIfExists } from './if-exists.js';
import type { Project } from './project.js';
import { projectSettings } from './project-settings.js';

/** The path and the content of a package.json. */
interface Found {
  readonly path: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/**
 * Finds the project that contains a folder: the folder itself or the nearest parent folder whose package.json depends on
 * @kubewright/runtime or contains "kubewright".
 * @throws KubewrightError NO_PROJECT if there is no project; INVALID_PROJECT if package.json or tsconfig.json is invalid; UNREADABLE if one
 *   of these files cannot be read
 */
export async function findProject(from: string): Promise<Project> {
  const { path, manifest } = await findManifest(resolve(from));
  const root = dirname(path);
  const settings = projectSettings(manifest, path);
  const folders = await compiledFolders(root);
  return { root, settings, ...folders, main: join(folders.outFolder, 'main.js') };
}

async function findManifest(from: string): Promise<Found> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await manifestIn(folder);
    if (found !== undefined && isOperator(found)) return found;
    if (folder === dirname(folder)) break;
  }
  throw new KubewrightError(
    'NO_PROJECT',
    `found no project in ${from} or its parent folders: no package.json depends on @kubewright/runtime; change to the folder of a project, or create one with 'npm create operator@latest'`,
  );
}
async function manifestIn(folder: string): Promise<Found | undefined> {
  const path = join(folder, 'package.json');
  const text = await textIfExists(path);
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(withoutByteOrderMark(text));
    return isJsonObject(manifest) ? { path, manifest } : undefined;
  } catch (error) {
    throw new KubewrightError(
      'INVALID_PROJECT',
      `cannot read the project: ${path} is not valid JSON: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
function isOperator({ manifest }: Found): boolean {
  const dependencies = ['dependencies', 'devDependencies', 'peerDependencies'].map((each) => manifest[each]);
  return (
    manifest['kubewright'] !== undefined ||
    dependencies.some((each) => isJsonObject(each) && Object.hasOwn(each, '@kubewright/runtime'))
  );
}
