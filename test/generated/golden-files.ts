import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the golden files, in the sources. */
const GOLDENS = fileURLToPath(new URL('../../generated/goldens/', import.meta.url));

/**
 * Asserts that the generated files equal the golden files of a folder. Missing and additional files are errors.
 * If the environment variable KUBEWRIGHT_WRITE_GOLDENS is set, replaces the golden files first. Review the difference with git.
 */
export async function assertGolden(folder: string, made: ReadonlyMap<string, string>): Promise<void> {
  const root = join(GOLDENS, folder);
  if (process.env['KUBEWRIGHT_WRITE_GOLDENS']) await write(root, made);
  const kept = await readAll(root);
  assert.deepEqual([...made.keys()].toSorted(), [...kept.keys()].toSorted());
  for (const [path, text] of made) assert.equal(text, kept.get(path), `${folder}/${path} differs from the golden file`);
}

async function write(root: string, made: ReadonlyMap<string, string>): Promise<void> {
  await rm(root, { recursive: true, force: true });
  for (const [path, text] of made) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
async function readAll(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(
    async (path) => [relative(root, path).replaceAll(sep, '/'), await readFile(path, 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}
