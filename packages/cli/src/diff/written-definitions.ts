import { resolve } from 'node:path';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { CommandContext } from '../command/command-context.js';
import { definitionsInFiles } from './definitions-in-files.js';
import { definitionsInGit } from './definitions-in-git.js';

/**
 * Returns the definitions in `git:REF`, a file, or a folder; undefined for a cluster. Rejects with NO_DEFINITIONS if there are none, and
 * with NOT_A_DEFINITION if they cannot be read.
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
