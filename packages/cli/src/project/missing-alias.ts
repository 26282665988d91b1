import { join, relative, sep } from 'node:path';
import { isJsonObject } from '@kubewright/api/json';
import type { Project } from './project.js';
import { readTsconfig } from './tsconfig.js';

/** Returns a suggestion if Node.js cannot find a module whose name matches "paths" in tsconfig.json. Returns '' for other errors. */
export async function aliasRemedy({ root, outFolder }: Project, problem: string): Promise<string> {
  const [, name] = /^Cannot find (?:package|module) '([^']+)'/.exec(problem) ?? [];
  if (name === undefined) return '';
  const { paths = {} } = await readTsconfig(join(root, 'tsconfig.json'));
  const aliases = isJsonObject(paths) ? Object.keys(paths) : [];
  if (!aliases.some((alias) => `${name}/`.startsWith(alias.replace(/\*.*$/, '')))) return '';
  const out = relative(root, outFolder).replaceAll(sep, '/');
  return `; "paths" in tsconfig.json affect only the compiler, not its output: add "imports": { "#*": "./${out}/*" } to package.json and import '#api/v1/…', or use a relative path`;
}
