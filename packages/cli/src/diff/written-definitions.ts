import { resolve } from 'node:path';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { CommandContext } from '../command/command-context.js';
import { definitionsInFiles } from './definitions-in-files.js';
import { definitionsInGit } from './definitions-in-git.js';

/**
 * Reads the definitions from the source in `--against`: a Git commit, a file, or a folder. Returns undefined for `cluster`.
 * @throws KubewrightError NO_DEFINITIONS if the source does not exist or cannot be read, and NOT_A_DEFINITION if a file is invalid
 */
export async function writtenDefinitions(
  { cwd, env, signal }: CommandContext,
  against: string,
  root: string,
): Promise<readonly CustomResourceDefinition[] | undefined> {
  if (against === 'cluster') return undefined;
  const reference = /^git:(.*)$/.exec(against)?.[1];
  if (reference !== undefined) return definitionsInGit(reference || 'HEAD', { root, env, signal });
  return definitionsInFiles(resolve(cwd, against), against);
}
