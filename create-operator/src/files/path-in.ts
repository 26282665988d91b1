import { resolve } from 'node:path';
import { ScaffoldError } from '../scaffold-error.js';

/** The path on disk of a file of the folder. Throws INVALID_PATH where it would lead out of it. */
export function pathIn(root: string, path: string): string {
  const parts = path.split('/');
  if (
    parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\') || part.includes('\0'))
  ) {
    throw new ScaffoldError(
      'INVALID_PATH',
      `cannot write '${path}' in ${root}: give a path below it, such as src/main.ts`,
    );
  }
  return resolve(root, ...parts);
}
