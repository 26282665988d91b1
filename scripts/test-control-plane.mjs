// npm run test:control-plane [-- PATTERN …]: runs tests on a real control plane: the tests that also run on the embedded API server, and
// the tests that need a control plane. Builds the control plane if necessary. Without Go for the build, counts the tests as skipped.
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { buildControlPlane } from './build-control-plane.mjs';
import { buildControllerRuntimeTests } from './build-controller-runtime-tests.mjs';
import { buildHelm } from './build-helm.mjs';
import { builtOperators } from './build-operators.mjs';
import { controlPlaneInputs } from './control-plane-inputs.mjs';
import { startPool } from './control-plane-pool.mjs';
import { showHelp } from './help.mjs';
import { longestOnControlPlane } from './longest-tests.mjs';
import { goGarbage, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { removeResults, writeResults } from './test-results.mjs';

showHelp(`npm run test:control-plane [-- PATTERN …]

Builds a real control plane if necessary, which requires Go. Runs the tests for both servers, and the tests for a control plane, on the
control plane. With patterns, runs only the test files whose path contains one of the patterns.

Without patterns, takes the results of tests from the results cache if they passed before on this control plane and no file on which they
depend has changed. Each run repeats a quarter of these tests, the ones that have not run for the longest time.

Options:
  -h, --help  print this help

Environment:
  KUBEWRIGHT_RERUN=1            run all tests
  KUBEWRIGHT_RESULTS_CACHE=DIR  the folder of the results cache (default: ~/.cache/kubewright/results)`);

/** Tests in the folders of `suites` that are excluded, because they need no server or start the embedded API server themselves. */
const elsewhere = [
  'examples/examples',
  'generated/crd-goldens',
  'generated/manifest-goldens',
  'generated/rbac-merging',
].map((name) => join('test', `${name}.test.ts`));
const suites = [
  'contract',
  'conformance',
  'control-plane',
  'examples',
  'generated',
  'kubectl',
  'protobuf',
  'refusals',
].map((folder) => join('test', folder) + sep);

/** The only test in test/server that runs on a control plane. */
const restoring = join('test', 'server', 'pool', 'initial-state.test.ts');

setUp();
const patterns = process.argv.slice(2);
removeResults('control-plane');
const folder = buildControlPlane();
const controllerRuntimeTests = buildControllerRuntimeTests();
const helm = buildHelm();
const operators = builtOperators();
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
  const environment = {
    KUBEWRIGHT_CONTROL_PLANE: folder,
    KUBEWRIGHT_CONTROLLER_RUNTIME_TESTS: controllerRuntimeTests,
    KUBEWRIGHT_HELM: helm,
    ...operators,
    KUBEWRIGHT_TEST_SERVER: 'control-plane',
  };
  const folders = [folder, controllerRuntimeTests, helm, ...Object.values(operators)];
  const pool = await startPool({ GOGC: goGarbage, ...process.env, ...environment });
  process.exitCode = runTests(chosen, {
    results: 'control-plane',
    longest: longestOnControlPlane,
    // Tests wait longer on a control plane, so more and smaller processes are faster.
    filesPerProcess: 12,
    concurrency: Math.max(2, availableParallelism()) + 2,
    environment: { ...environment, KUBEWRIGHT_CONTROL_PLANE_POOL: pool.socket },
    // A pattern requests a run.
    inputsOf: patterns.length === 0 ? await controlPlaneInputs(folders) : undefined,
  });
  await pool.stop();
  console.log(`control plane: ran in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
