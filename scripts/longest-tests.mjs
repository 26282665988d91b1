// The test files that start first. The short files then run at the same time as the longest files, so that no processor is idle at the end
// of a run.
import { join } from 'node:path';

/** The slowest test files of `npm test` in a process of their own. The paths omit the folder test and the ending .test.ts. */
export const longestOfEmbedded = ['secrets/canary', 'command-line/generate', 'gate/gate'];

/** The slowest test files of `npm run test:all`, slowest first. The paths omit the folder test and the ending .test.ts. */
export const longestOfAll = [
  'chaos/chaos',
  'limits/limits',
  'examples/examples',
  'fuzz/fuzz',
  'limits/controllers',
  'examples/client-go-tour',
  'webhook-certificates/killed-replica.long',
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

/**
 * Returns all `processes`, each with the paths of its test files. Starts with those that contain a test file in `longest`, in this order,
 * followed by those with several test files. Ignores names in `longest` that no process contains.
 */
export function longestFirst(processes, longest) {
  const first = longest.map((name) => join('test', ...`${name}.test.ts`.split('/')));
  const rankOf = (files) => {
    const rank = first.findIndex((path) => files.includes(path));
    if (rank >= 0) return rank;
    return first.length + (files.length > 1 ? 0 : 1);
  };
  return processes.toSorted((a, b) => rankOf(a) - rankOf(b));
}
