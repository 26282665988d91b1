// The test files that start first. The short files then run at the same time as the longest files, so that no processor is idle at the end
// of a run.
import { join } from 'node:path';

/** The slowest test files of `npm run test:all`, slowest first. The paths omit the folder test and the ending .test.ts. */
export const longestOfAll = [
  'chaos/chaos',
  'limits/limits',
  'examples/examples',
  'fuzz/fuzz',
  'leader-election/handovers',
  'cache-guarantee/cache-guarantee',
  'contract/policies-matching',
  'scaffold/matrix/matrix',
  'webhook-certificates/constant-requests.long',
];

/**
 * The test files of `npm run test:control-plane` that take minutes, slowest first. The paths omit the folder test and the ending .test.ts.
 */
export const longestOnControlPlane = [
  'control-plane/soak/soak',
  'control-plane/lease-contention',
  'control-plane/chaos',
  'control-plane/controller-runtime/controller-runtime',
  'generated/rbac-examples.long',
  'generated/rbac',
  'kubectl/kubectl',
  'examples/programs',
  'control-plane/deploy',
  'control-plane/faults',
  'generated/manifests',
];

/** Returns all `paths`, first those in `longest`. Ignores names in `longest` that are not in `paths`. */
export function longestFirst(paths, longest) {
  const first = longest
    .map((name) => join('test', ...`${name}.test.ts`.split('/')))
    .filter((path) => paths.includes(path));
  return [...first, ...paths.filter((path) => !first.includes(path))];
}
