import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesOf } from '../files/changes-of.js';
import type { ProjectFiles } from '../files/project-files.js';
import { codeOf, reasonOf } from '../files/reason-of.js';
import { ScaffoldError } from '../scaffold-error.js';

/** Files that the folder of a new project may already contain. */
const HARMLESS = /^(\..*|LICEN[CS]E.*|COPYING.*)$/i;
const LISTED = 8;
const README = 'README.md';
/** Files of the project that can already exist with other content if `force` is true. New repositories often contain these files. */
const PRESERVED_FILES: readonly string[] = [README, '.gitignore'];

/** Specifies how `checkFolder` treats files that do not belong to the project. */
export interface FolderOptions {
  /** Whether the folder may contain other files. An existing README.md is kept. An existing .gitignore gets its missing lines. */
  readonly force: boolean;
}

/**
 * Returns the files to write into the folder. Returns no files if all of them exist with the same content.
 *
 * Throws FOLDER_NOT_EMPTY if the folder contains other files and `force` is false, or if the folder cannot be read. Also throws
 * FOLDER_NOT_EMPTY, even with `force`, if a file of the project exists with other content. With `force`, README.md and .gitignore can have
 * other content. Throws FILES_NOT_WRITTEN if a file cannot be read.
 */
export async function checkFolder(root: string, files: ProjectFiles, { force }: FolderOptions): Promise<ProjectFiles> {
  const present = await entriesOf(root);
  const beside = force ? await besideExisting(root, files) : undefined;
  const { write } = await changesOf(root, { write: beside?.files ?? files });
  if (write.size === 0) return write;
  const { remove: existing } = await changesOf(root, { write: new Map(), remove: [...files.keys()] });
  const taken = existing.filter((path) => write.has(path) && beside?.adapted.has(path) !== true);
  const others = present.filter((entry) => !HARMLESS.test(entry));
  if (taken.length > 0) {
    const remedy = taken.every((path) => PRESERVED_FILES.includes(path))
      ? 'move them away, specify another folder, or pass --force to keep them'
      : 'move them away, or specify another folder';
    throw notEmpty(root, taken, remedy);
  }
  if (others.length > 0 && !force) {
    throw notEmpty(root, others, 'specify another folder, or pass --force to create the project beside them');
  }
  return write;
}

/**
 * Returns the files to write with `force`, and the paths of the files that can already exist. Omits an existing README.md, and adds the
 * missing lines to an existing .gitignore.
 */
async function besideExisting(root: string, files: ProjectFiles) {
  const adapted = new Map(files);
  for (const path of PRESERVED_FILES) {
    const existing = await textIn(root, path);
    if (existing === undefined) continue;
    if (path === README) adapted.delete(path);
    else adapted.set(path, withLines(existing, files.get(path) ?? ''));
  }
  return { files: adapted, adapted: new Set(PRESERVED_FILES) };
}

/** Appends the lines of `more` that the text does not contain. */
function withLines(text: string, more: string): string {
  const known = new Set(text.split('\n').map((line) => line.trim()));
  const missing = more.split('\n').filter((line) => line !== '' && !known.has(line.trim()));
  if (missing.length === 0) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`;
}

async function textIn(root: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, path), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ScaffoldError('FILES_NOT_WRITTEN', `cannot read ${path} in ${root}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function entriesOf(root: string): Promise<readonly string[]> {
  try {
    return (await readdir(root)).toSorted();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    const reason = code === 'ENOTDIR' ? 'the path is a file; specify another folder' : reasonOf(error);
    throw new ScaffoldError('FOLDER_NOT_EMPTY', `cannot create the project in ${root}: ${reason}`, { cause: error });
  }
}

function notEmpty(root: string, entries: readonly string[], remedy: string): ScaffoldError {
  const listed = entries.slice(0, LISTED).join(', ');
  const rest = entries.length > LISTED ? ` and ${entries.length - LISTED} more` : '';
  return new ScaffoldError(
    'FOLDER_NOT_EMPTY',
    `cannot create the project in ${root}: the folder already contains ${listed}${rest}; ${remedy}`,
  );
}
