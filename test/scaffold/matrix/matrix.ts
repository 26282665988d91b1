import { join } from 'node:path';
import { repository } from './scaffold-project.js';

/** A kind of project that somebody may begin with. */
export interface MatrixEntry {
  /** Of its folder among the goldens. */
  readonly name: string;
  /** The calls of the command line that make it. */
  readonly calls: readonly (readonly string[])[];
}

/** A definition of another operator, as its users find it. */
const foreignDefinition = join(repository, 'test', 'scaffold', 'matrix', 'certificates.yaml');

/** Where the projects are kept as they should be. */
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

/** A project with that kind, to which the other calls add something. */
function entry(name: string, init: readonly string[], ...more: readonly (readonly string[])[]): MatrixEntry {
  const files = ['init', '.', '--name', `${name}-operator`, '--no-install', '--no-git', '--force', '--yes'];
  return { name, calls: [[...files, ...init], ...more, ['generate']] };
}
