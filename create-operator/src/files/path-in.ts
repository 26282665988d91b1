import { resolve } from 'node:path';
import { ScaffoldError } from '../scaffold-error.js';

/**
 * Returns the path on disk of a file in the folder. Throws INVALID_PATH for a path that leads out of the folder, or that contains an empty
 * segment, a segment '.', a backslash, or a NUL character.
 */
export function pathIn(root: string, path: string): string {
  const parts = path.split('/');
  if (
    parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\\') || part.includes('\0'))
  ) {
    throw new ScaffoldError(
      'INVALID_PATH',
      `cannot write '${path}' in ${root}: the path is not a relative path inside the folder; use a path such as src/main.ts`,
    );
  }
  return resolve(root, ...parts);
}
