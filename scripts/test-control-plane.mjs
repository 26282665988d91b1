// npm run test:control-plane [-- PATTERN …]: builds a real control plane if necessary. Runs the tests for both servers, and the tests for
// a control plane, on the control plane. If a build is necessary and Go is missing, counts the tests as skipped.
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { buildControlPlane } from './build-control-plane.mjs';
import { startPool } from './control-plane-pool.mjs';
import { showHelp } from './help.mjs';
import { goGarbage, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { removeResults, writeResults } from './test-results.mjs';

showHelp(`npm run test:control-plane [-- PATTERN …]

Builds a real control plane if necessary, which requires Go. Runs the tests for both servers, and the tests for a control plane, on the
control plane. With patterns, runs only the test files whose path contains one of the patterns.

Options:
  -h, --help  print this help`);

/** Tests that do not need a server, or that start the embedded server themselves, such as the tests of the scripts of this repository. */
const elsewhere = [
  'examples/examples',
  'generated/crd-goldens',
  'generated/manifest-goldens',
  'generated/rbac-merging',
].map((name) => join('test', `${name}.test.ts`));
const suites = ['contract', 'conformance', 'control-plane', 'examples', 'generated', 'kubectl', 'refusals'].map(
  (folder) => join('test', folder) + sep,
);

/** The only test of its folder that depends on the server. */
const restoring = join('test', 'server', 'pool', 'initial-state.test.ts');

/** Tests that take minutes, or that wait for minutes while other tests run. These tests start first, so that the run ends earlier. */
const longest = [
  'control-plane/soak/soak',
  'control-plane/lease-contention',
  'control-plane/chaos',
  'generated/rbac-examples',
  'generated/rbac',
  'kubectl/kubectl',
  'examples/programs',
  'control-plane/deploy',
  'control-plane/faults',
  'generated/manifests',
].map((name) => join('test', `${name}.test.ts`));

setUp();
const patterns = process.argv.slice(2);
removeResults('control-plane');
const folder = buildControlPlane();
const chosen = testFiles(
  (path) =>
    (path === restoring || suites.some((suite) => path.startsWith(suite))) &&
    !elsewhere.includes(path) &&
    (patterns.length === 0 || patterns.some((pattern) => path.includes(pattern))),
);
if (folder === undefined) {
  console.log(`control plane: ${chosen.length} test files are skipped`);
  const reason = 'go is not on PATH, so the control plane cannot be built';
  const tests = chosen.map((file) => ({ file, line: 1, name: file, outcome: 'skipped', reason }));
  writeResults('control-plane', { files: chosen, tests });
} else {
  const start = performance.now();
  const first = longest.filter((path) => chosen.includes(path));
  const ordered = [...first, ...chosen.filter((path) => !first.includes(path))];
  const environment = { KUBEWRIGHT_CONTROL_PLANE: folder, KUBEWRIGHT_TEST_SERVER: 'control-plane' };
  const pool = await startPool({ GOGC: goGarbage, ...process.env, ...environment });
  process.exitCode = runTests(ordered, {
    results: 'control-plane',
    inOrder: true,
    concurrency: Math.max(2, availableParallelism()) + 2,
    environment: { ...environment, KUBEWRIGHT_CONTROL_PLANE_POOL: pool.socket },
  });
  await pool.stop();
  console.log(`control plane: ran ${chosen.length} test files in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
