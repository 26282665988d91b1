import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTsconfig } from './tsconfig.js';

/** Where a package has its sources, and what is compiled of them. Absolute. */
export interface CompiledFolders {
  /** @default src */
  readonly sourceFolder: string;
  /** @default dist */
  readonly outFolder: string;
}

/**
 * The folders of a package, by its tsconfig.json. One that is compiled from its own folder on, such as together with a folder of tests, has
 * its sources in src all the same.
 * @throws KubewrightError INVALID_PROJECT and UNREADABLE naming the file that cannot be read
 */
export async function compiledFolders(root: string): Promise<CompiledFolders> {
  const { rootDir, outDir = 'dist', composite } = await readTsconfig(join(root, 'tsconfig.json'));
  const sourceFolder = resolve(root, rootDir ?? (composite === true ? '.' : 'src'));
  const outFolder = resolve(root, outDir);
  if (sourceFolder !== root || !existsSync(join(root, 'src'))) return { sourceFolder, outFolder };
  return { sourceFolder: join(root, 'src'), outFolder: join(outFolder, 'src') };
}
