import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { cliVersion } from '../command/cli-version.js';

/** The packages that the program of a project and the CLI both load, and whose versions must therefore be equal. */
const PACKAGES = ['@kubewright/api', '@kubewright/runtime'];

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** The real path of the package.json, after symbolic links are resolved. */
  readonly path: string;
}

/** Returns the package that modules in a folder import with the given name; undefined if no such package is installed. */
export function installedPackage(name: string, folder: string): InstalledPackage | undefined {
  const require = createRequire(join(folder, 'package.json'));
  const path = (require.resolve.paths(name) ?? [])
    .map((modules) => join(modules, name, 'package.json'))
    .find((candidate) => realPath(candidate) !== undefined);
  if (path === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: unknown };
  return { name, version: String(version), path: realPath(path) ?? path };
}

/**
 * Reports whether the Kubewright packages of a project are different copies than the packages that the CLI loads.
 * @throws KubewrightError VERSION_MISMATCH if the versions are different, and INSPECTION_FAILED if a package is not installed
 */
export function hasOwnCopies(root: string): boolean {
  const ours = import.meta.dirname;
  const version = cliVersion();
  return PACKAGES.map((name) => {
    const theirs = installedPackage(name, root);
    if (theirs === undefined) {
      throw new KubewrightError(
        'INSPECTION_FAILED',
        `cannot inspect the project: ${name} is not installed in ${root}; run 'npm install'`,
      );
    }
    if (theirs.version !== version) {
      throw new KubewrightError(
        'VERSION_MISMATCH',
        `cannot inspect the project: the project has ${name} ${theirs.version}, but this is kubewright ${version}; run 'npm install --save-dev @kubewright/cli@${theirs.version}', and use npx kubewright`,
      );
    }
    return installedPackage(name, ours)?.path !== theirs.path;
  }).includes(true);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
