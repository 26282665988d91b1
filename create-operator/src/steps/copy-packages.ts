import { constants, copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PackedPackage } from '../command/environment.js';
import { codeOf, reasonOf } from '../files/reason-of.js';
import { ScaffoldError } from '../scaffold-error.js';

/**
 * Copies tarballs into a folder of a project. Does not replace an existing tarball, because the lock file contains its digest. If copying
 * fails, throws FILES_NOT_WRITTEN and keeps the project.
 */
export async function copyPackages(folder: string, packages: readonly PackedPackage[]): Promise<void> {
  try {
    if (packages.length > 0) await mkdir(folder, { recursive: true });
    for (const { path } of packages) await copyIfMissing(path, join(folder, basename(path)));
  } catch (error) {
    throw new ScaffoldError('FILES_NOT_WRITTEN', `cannot copy packages to ${folder}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function copyIfMissing(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
