import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { withoutByteOrderMark } from './byte-order-mark.js';
import { textIfExists } from './if-exists.js';

/** The compiler options in a tsconfig.json that Kubewright uses. The paths of folders are absolute. */
export interface Tsconfig {
  readonly rootDir?: string;
  readonly outDir?: string;
  readonly experimentalDecorators?: boolean;
  readonly emitDecoratorMetadata?: boolean;
  readonly useDefineForClassFields?: boolean;
  readonly target?: string;
  readonly strict?: boolean;
  readonly composite?: boolean;
  readonly incremental?: boolean;
  readonly noEmitOnError?: boolean;
  readonly tsBuildInfoFile?: string;
  readonly paths?: unknown;
  /** Whether the tsconfig.json references other projects, which are compiled first. */
  readonly hasReferences?: boolean;
}

/**
 * The placeholder for the folder of the tsconfig.json that TypeScript compiles. In a file that this tsconfig.json extends, the placeholder
 * represents the same folder.
 */
const CONFIG_DIR = '${configDir}';

/**
 * Reads the options of a tsconfig.json, including the options of files that it extends. Returns no options if the file does not exist. If
 * the tsconfig.json compiles no files and only references other projects, returns the options of the referenced project with main.ts.
 * @throws KubewrightError INVALID_PROJECT if a file is invalid, and UNREADABLE if a file cannot be read
 */
export async function readTsconfig(path: string): Promise<Tsconfig> {
  const text = await textIfExists(path);
  if (text === undefined) return {};
  const { references, files } = parse(text, path);
  const referred = referencesOf(references, dirname(path));
  const compilesNothing = Array.isArray(files) && files.length === 0;
  const main = compilesNothing ? await mainProject(referred) : undefined;
  return { ...(main ?? (await optionsOf(text, path, []))), hasReferences: referred.length > 0 };
}

/** Returns the paths of referenced tsconfig.json files. A reference to a folder is a reference to the tsconfig.json in the folder. */
function referencesOf(references: unknown, folder: string): readonly string[] {
  if (!Array.isArray(references)) return [];
  return references
    .flatMap((each) => (isJsonObject(each) && typeof each['path'] === 'string' ? resolve(folder, each['path']) : []))
    .map((path) => (path.endsWith('.json') ? path : join(path, 'tsconfig.json')));
}

/** Returns the options of the first referenced project whose source folder contains main.ts. */
async function mainProject(paths: readonly string[]): Promise<Tsconfig | undefined> {
  for (const path of paths) {
    const text = await textIfExists(path);
    const options = text === undefined ? undefined : await optionsOf(text, path, []);
    const { rootDir = dirname(path) } = options ?? {};
    if (options !== undefined && existsSync(join(rootDir, 'main.ts'))) return { ...options, rootDir };
  }
  return undefined;
}

async function optionsOf(text: string, path: string, extending: readonly string[]): Promise<Tsconfig> {
  if (extending.includes(path)) throw invalid(path, 'it extends itself through other files');
  const all = [...extending, path];
  const root = dirname(all[0] ?? path);
  const { extends: bases = [], compilerOptions = {} } = parse(text, path);
  let options: Tsconfig = {};
  for (const base of [bases].flat()) {
    if (typeof base !== 'string') throw invalid(path, `"extends" is ${JSON.stringify(base)}; write the path of a file`);
    const basePath = extended(base, path);
    const baseText = await textIfExists(basePath);
    if (baseText === undefined) throw invalid(path, `it extends ${base}, which does not exist`);
    options = { ...options, ...(await optionsOf(baseText, basePath, all)) };
  }
  return { ...options, ...own(compilerOptions, { folder: dirname(path), root }) };
}

function own(options: unknown, { folder, root }: { readonly folder: string; readonly root: string }): Tsconfig {
  if (!isJsonObject(options)) return {};
  const absolute = ['rootDir', 'outDir'].flatMap((key) => {
    const value = options[key];
    if (typeof value !== 'string') return [];
    return [[key, value.startsWith(CONFIG_DIR) ? join(root, value.slice(CONFIG_DIR.length)) : resolve(folder, value)]];
  });
  return { ...options, ...Object.fromEntries(absolute) };
}
function extended(base: string, from: string): string {
  if (/^\.{0,2}\//.test(base) || isAbsolute(base)) {
    const path = resolve(dirname(from), base);
    return path.endsWith('.json') ? path : `${path}.json`;
  }
  const require = createRequire(from);
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      return require.resolve(name);
    } catch {
      continue;
    }
  }
  throw invalid(from, `it extends ${base}, which is not installed`);
}
function parse(
  text: string,
  path: string,
): {
  readonly extends?: unknown;
  readonly compilerOptions?: unknown;
  readonly references?: unknown;
  readonly files?: unknown;
} {
  try {
    const value: unknown = JSON.parse(withoutComments(text));
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw invalid(path, messageOf(error));
  }
  throw invalid(path, 'it is not a JSON object');
}
/** Converts the text of a tsconfig.json to standard JSON: removes comments and trailing commas. */
function withoutComments(text: string): string {
  const token = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  const bare = withoutByteOrderMark(text).replace(token, (all) => (all.startsWith('"') ? all : ' '));
  return bare.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (all) => (all === ',' ? '' : all));
}
function invalid(path: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_PROJECT', `cannot read ${path}: ${problem}`);
}
