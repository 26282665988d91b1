import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject, stringifyJson } from '@kubewright/api/json';
import type { SavedFinding } from '@kubewright/testing/internal';
import { devFolder, devFolderPath } from '../dev/dev-folder.js';
import { entriesIfExists, textIfExists, textOf } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { jsonIfValid } from './json-if-valid.js';
import type { Problem } from './explore-messages.js';
import { problemKey } from './merged-problems.js';

/** The folder with the histories of earlier explorations, in the folder of `devFolderPath`. */
const FOLDER = 'explore';

/** Returns the findings of earlier explorations of a project. Skips files that are not findings, such as those of an older version. */
export async function savedFindings(project: Project): Promise<readonly SavedFinding[]> {
  const folder = join(devFolderPath(project), FOLDER);
  const names = (await entriesIfExists(folder)).map(({ name }) => name).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.toSorted().map((name) => textOf(join(folder, name))));
  return texts.flatMap((text) => parsed(text) ?? []);
}

/** Reads one finding. Throws INVALID_USAGE if the file does not exist or is not a finding. */
export async function savedFinding(path: string): Promise<SavedFinding> {
  const text = await textIfExists(path);
  const finding = text === undefined ? undefined : parsed(text);
  if (finding !== undefined) return finding;
  const reason =
    text === undefined ? 'the file does not exist' : 'the file is not a history of this version of explore';
  throw new KubewrightError('INVALID_USAGE', `cannot replay ${path}: ${reason}; pass a file in .kubewright/explore`);
}

/** Saves the findings. Returns the paths of the files relative to the project, by the keys of the problems. */
export async function saveFindings(
  project: Project,
  problems: readonly Problem[],
): Promise<ReadonlyMap<string, string>> {
  const folder = join(await devFolder(project), FOLDER);
  await mkdir(folder, { recursive: true });
  const paths = new Map<string, string>();
  for (const problem of problems) {
    const key = problemKey(problem);
    const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 8)}.json`);
    const { trace: _, ...finding } = problem.finding;
    await writeFile(path, `${stringifyJson(finding, { indent: 2 })}\n`);
    paths.set(key, relative(project.root, path));
  }
  return paths;
}

function parsed(text: string): SavedFinding | undefined {
  const value = jsonIfValid(text) as Partial<SavedFinding> | undefined;
  const isFinding =
    isJsonObject(value) &&
    [value.kind?.apiVersion, value.kind?.kind, value.oracle, value.signature].every(
      (each) => typeof each === 'string',
    ) &&
    [value.trial?.steps, value.differences, value.details, value.fields].every((each) => Array.isArray(each));
  return isFinding ? (value as SavedFinding) : undefined;
}
