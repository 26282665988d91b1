import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isJsonObject } from '@kubewright/api/json';
import { entriesIfExists, textIfExists } from './if-exists.js';
import type { CompiledFolders } from './compiled-folders.js';

/** The possible extensions of a source, by the extension of its compiled output. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/**
 * Removes the compiled output of deleted sources, because tsc does not remove it and deleted tests would continue to run. Removes only
 * files with a source map that contains the path of the deleted source.
 * @throws KubewrightError UNREADABLE if the output folder or a source map cannot be read
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
  const entries = await entriesIfExists(folder);
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules');
  const below = await Promise.all(folders.map(({ name }) => programsIn(join(folder, name))));
  const programs = entries.filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name));
  return [...programs.map(({ name }) => join(folder, name)), ...below.flat()].toSorted();
}

/** Returns the absolute path of the source in a source map. Returns undefined if the file does not exist or does not have one source. */
async function mappedSource(path: string): Promise<string | undefined> {
  const text = await textIfExists(path);
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
    // tsc writes valid JSON; another tool has written the file.
    return {};
  }
}
