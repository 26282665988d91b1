import { spawnSync } from 'node:child_process';
import type { Counting, Files } from './counted-project.js';

const FINISHED = 'docs/book/src/getting-started/testdata/project';
const PLAIN = 'testdata/project-v4';

/** Replacements that turn a kind of another project into the kind of the guide. */
const RENAMED: readonly (readonly [from: string, to: string])[] = [
  ['Sailor', 'Memcached'],
  ['sailor', 'memcached'],
  ['crew.testproject.org/v1', 'cache.example.com/v1alpha1'],
  ['crew.testproject.org', 'cache.example.com'],
  ['crewv1', 'cachev1alpha1'],
  ['sigs.k8s.io/kubebuilder/testdata/project-v4/api/v1', 'example.com/memcached/api/v1alpha1'],
  ['project-v4', 'project'],
  ['package v1', 'package v1alpha1'],
];

/** Matches the section of a Makefile that kubebuilder adds together with a Helm chart. */
const CHART_TARGETS = /\n##@ Helm Deployment\n[^]*$/;

/**
 * How a project of kubebuilder is counted. A chart, an installer and two workflows are not counted, because commands other than `init` and
 * `create api` create them.
 */
export const kubebuilderCounting: Counting = {
  leftOut: (path) =>
    path === 'go.sum' || path.startsWith('dist/') || /workflows\/(auto_update|test-chart)\.yml$/.test(path),
  generated: (path) => /^PROJECT$|zz_generated|config\/crd\/bases\/|config\/rbac\/role\.yaml/.test(path),
  operator: (path) => /_types\.go$|^internal\/controller\/(?!suite_test)/.test(path),
};

/** Reads the operator of kubebuilder's guide, and the scaffold of its edited files, from a kubebuilder repository. */
export function kubebuilderProject(repository: string): { readonly finished: Files; readonly scaffold: Files } {
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
    return stdout;
  };
  const show = (path: string): string => git('show', `HEAD:${path}`);
  const paths = git('ls-tree', '-r', '--name-only', 'HEAD', FINISHED).trim().split('\n');
  const finished = new Map(paths.map((path) => [path.slice(FINISHED.length + 1), show(path)]));
  finished.set('Makefile', show(`${FINISHED}/Makefile`).replace(CHART_TARGETS, ''));
  // The unedited scaffold of a kind in another project, with the names of this project.
  const renamed = (path: string): string =>
    RENAMED.reduce((text, [from, to]) => text.replaceAll(from, to), show(`${PLAIN}/${path}`));
  const scaffold = new Map(finished);
  scaffold.delete('internal/controller/conditions.go');
  scaffold.set('api/v1alpha1/memcached_types.go', renamed('api/v1/sailor_types.go'));
  scaffold.set('internal/controller/memcached_controller.go', renamed('internal/controller/sailor_controller.go'));
  scaffold.set(
    'internal/controller/memcached_controller_test.go',
    renamed('internal/controller/sailor_controller_test.go'),
  );
  scaffold.set('config/samples/cache_v1alpha1_memcached.yaml', renamed('config/samples/crew_v1_sailor.yaml'));
  return { finished, scaffold };
}
