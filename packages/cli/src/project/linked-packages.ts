import { dirname, join, sep } from 'node:path';
import { isJsonObject } from '@kubewright/api/json';
import { withoutByteOrderMark } from './byte-order-mark.js';
import { type CompiledFolders, compiledFolders } from './compiled-folders.js';
import { textOf } from './if-exists.js';
import { installedPackage } from './package-copies.js';

/** A dependency that is installed as a symbolic link to its sources, such as a package in the same workspace. */
export interface LinkedPackage extends CompiledFolders {
  readonly name: string;
  /** The absolute path of the package, without symbolic links. */
  readonly root: string;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/**
 * Returns the direct and transitive dependencies of a project that are installed as symbolic links to their sources. Omits the Kubewright
 * packages.
 */
export async function linkedPackages(root: string): Promise<readonly LinkedPackage[]> {
  const found = new Map<string, LinkedPackage>();
  for (const name of await dependenciesOf(root)) await follow(name, root, found);
  return [...found.values()].filter((each) => each.root !== root);
}

async function follow(name: string, from: string, found: Map<string, LinkedPackage>): Promise<void> {
  const path = name.startsWith('@kubewright/') ? undefined : installedPackage(name, from)?.path;
  if (path === undefined || path.includes(`${sep}node_modules${sep}`)) return;
  const root = dirname(path);
  if (found.has(root)) return;
  found.set(root, { name, root, ...(await compiledFolders(root)) });
  for (const next of await dependenciesOf(root)) await follow(next, root, found);
}

async function dependenciesOf(root: string): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(withoutByteOrderMark(await textOf(join(root, 'package.json'))));
  if (!isJsonObject(manifest)) return [];
  return DEPENDENCIES.flatMap((key) => (isJsonObject(manifest[key]) ? Object.keys(manifest[key]) : []));
}
