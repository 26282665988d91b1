import { join } from 'node:path';
import { repository } from './scaffold-project.js';

/** A type of new project. */
export interface MatrixEntry {
  /** The name of the folder with the golden files of the project. */
  readonly name: string;
  /** The command lines that create the project. */
  readonly calls: readonly (readonly string[])[];
}

/** A CustomResourceDefinition that another operator publishes. */
const foreignDefinition = join(repository, 'test', 'scaffold', 'matrix', 'certificates.yaml');

/** The folder of the golden files. */
export const goldens = join(repository, 'test', 'scaffold', 'goldens');

export const matrix: readonly MatrixEntry[] = [
  entry('namespaced', ['--kind', 'Website']),
  entry('cluster', ['--kind', 'DNSZone', '--version', 'v1alpha1', '--cluster-scoped']),
  entry(
    'multi-group',
    ['--group', 'web', '--kind', 'Website', '--multi-group'],
    ['add', 'api', '--group', 'billing', '--kind', 'Invoice', '--version', 'v1beta1'],
    ['add', 'api', '--group', 'billing', '--kind', 'Currency', '--cluster-scoped', '--no-controller'],
  ),
  entry(
    'several-versions',
    ['--kind', 'Website', '--version', 'v1beta1'],
    ['add', 'version', '--kind', 'Website', '--version', 'v1', '--stored'],
  ),
  entry(
    'foreign-kind',
    ['--kind', 'Website'],
    ['add', 'controller', '--kind', 'Certificate', '--crd', foreignDefinition],
  ),
  entry('built-in-kind', ['--kind', 'Website'], ['add', 'controller', '--kind', 'Deployment']),
];

/** Returns an entry for a project with the given arguments, followed by further commands. */
function entry(name: string, init: readonly string[], ...more: readonly (readonly string[])[]): MatrixEntry {
  const files = ['init', '.', '--name', `${name}-operator`, '--no-install', '--no-git', '--force', '--yes'];
  return { name, calls: [[...files, ...init], ...more, ['generate']] };
}
