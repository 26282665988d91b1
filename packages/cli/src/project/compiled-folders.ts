import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTsconfig } from './tsconfig.js';

/** The absolute paths of the source folder and the output folder of a package. */
export interface CompiledFolders {
  /** The folder of the sources. @default src */
  readonly sourceFolder: string;
  /** The folder of the compiled sources. @default dist */
  readonly outFolder: string;
}

/**
 * Reads the folders of a package from tsconfig.json. If `rootDir` is the folder of the package, for example because tests are in a second
 * folder, and the package has a folder src, returns the subfolder src of both folders. With `composite`, the default of `rootDir` is the
 * folder of the package.
 * @throws KubewrightError INVALID_PROJECT if tsconfig.json is invalid, and UNREADABLE if the file cannot be read
 */
export async function compiledFolders(root: string): Promise<CompiledFolders> {
  const { rootDir, outDir = 'dist', composite } = await readTsconfig(join(root, 'tsconfig.json'));
  const sourceFolder = resolve(root, rootDir ?? (composite === true ? '.' : 'src'));
  const outFolder = resolve(root, outDir);
  if (sourceFolder !== root || !existsSync(join(root, 'src'))) return { sourceFolder, outFolder };
  return { sourceFolder: join(root, 'src'), outFolder: join(outFolder, 'src') };
}
