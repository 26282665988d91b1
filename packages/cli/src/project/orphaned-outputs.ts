import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isJsonObject } from '@kubewright/api/json';
import { entriesIfThere, textIfThere } from './if-there.js';
import type { CompiledFolders } from './compiled-folders.js';

/** The extensions of sources by the extension of their output. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/**
 * Removes the output of deleted sources, which the compiler does not remove. Otherwise, deleted tests would continue to run. Identifies the
 * output of the compiler by its source map, which names the source. Keeps files without a source map.
 * @throws KubewrightError UNREADABLE with the path
 */
export async function removeOrphanedOutputs({ sourceFolder, outFolder }: CompiledFolders): Promise<void> {
  for (const output of await programsIn(outFolder)) {
    const [, path = '', ending = ''] = /^(.*)(\.[cm]?js)$/.exec(output) ?? [];
    const source = join(sourceFolder, relative(outFolder, path));
    const sources = (SOURCES[ending] ?? []).map((each) => `${source}${each}`);
    if (sources.some((each) => existsSync(each))) continue;
    const mapped = await mappedSource(`${output}.map`);
    if (mapped === undefined || !sources.includes(mapped)) continue;
    const declarations = `${path}.d${ending.replace('js', 'ts')}`;
    for (const each of [output, declarations]) {
      await rm(each, { force: true });
      await rm(`${each}.map`, { force: true });
    }
  }
}

async function programsIn(folder: string): Promise<readonly string[]> {
  const entries = await entriesIfThere(folder);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules');
  const below = await Promise.all(folders.map(({ name }) => programsIn(join(folder, name))));
  const programs = entries.filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name));
  return [...programs.map(({ name }) => join(folder, name)), ...below.flat()].toSorted();
}

/** Returns the absolute path of the only source of a source map; undefined without a source map, or with several sources. */
async function mappedSource(path: string): Promise<string | undefined> {
  const text = await textIfThere(path);
  if (text === undefined) return undefined;
  const { sources, sourceRoot } = parsed(text);
  if (!Array.isArray(sources) || sources.length !== 1) return undefined;
  return resolve(dirname(path), typeof sourceRoot === 'string' ? sourceRoot : '', String(sources[0]));
}
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const map: unknown = JSON.parse(text);
    return isJsonObject(map) ? map : {};
  } catch {
    // The file is not a source map of the compiler.
    return {};
  }
}
