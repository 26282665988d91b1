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
 * Returns the folders of a package according to its tsconfig.json. If the package is compiled from its root folder, such as together with a
 * folder of tests, its sources are still in src.
 * @throws KubewrightError INVALID_PROJECT and UNREADABLE with the file that cannot be read
 */
export async function compiledFolders(root: string): Promise<CompiledFolders> {
  const { rootDir, outDir = 'dist', composite } = await readTsconfig(join(root, 'tsconfig.json'));
  const sourceFolder = resolve(root, rootDir ?? (composite === true ? '.' : 'src'));
  const outFolder = resolve(root, outDir);
  if (sourceFolder !== root || !existsSync(join(root, 'src'))) return { sourceFolder, outFolder };
  return { sourceFolder: join(root, 'src'), outFolder: join(outFolder, 'src') };
}
