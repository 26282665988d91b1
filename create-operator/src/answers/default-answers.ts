import { basename, resolve } from 'node:path';
import type { ProjectRequest } from '../command/project-request.js';
import { asLabel, kindProblem } from './name-problems.js';

const NAME = 'my-operator';
const KIND = 'Website';

/** The default domain. This domain is reserved for documentation, so nobody can own it. */
export const DEFAULT_DOMAIN = 'example.com';

/**
 * Returns the default project name: the name of the folder, converted to a DNS label. Returns 'my-operator' if there is no folder, or if
 * the name of the folder contains no valid character.
 */
export function defaultName({ folder }: Pick<ProjectRequest, 'folder'>, cwd: string): string {
  const label = folder === undefined ? '' : asLabel(basename(resolve(cwd, folder)));
  return label === '' ? NAME : label;
}

/** Guesses the kind from the name of the operator: `memcached-operator` → `Memcached`. Returns 'Website' if the guess is not valid. */
export function defaultKind(name: string): string {
  const words = name.split('-').filter((word) => !/^(my|the|k8s|kube|op|operator|controller|app)$/.test(word));
  const kind = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return kindProblem(kind) === undefined ? kind : KIND;
}
