// npm run test:control-plane [-- PATTERN …]: runs tests on a real control plane: the tests that also run on the embedded API server, and
// the tests that need a control plane. Builds the control plane if necessary. Without Go for the build, counts the tests as skipped.
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { buildControlPlane } from './build-control-plane.mjs';
import { buildControllerRuntimeTests } from './build-controller-runtime-tests.mjs';
import { isRecorded, recordedResults, recordResults } from './control-plane-results.mjs';
import { startPool } from './control-plane-pool.mjs';
import { showHelp } from './help.mjs';
import { longestFirst, longestOnControlPlane } from './longest-tests.mjs';
import { goGarbage, runTests, testFiles } from './run-tests.mjs';
import { setUp } from './setup.mjs';
import { readResults, removeResults, writeResults } from './test-results.mjs';

showHelp(`npm run test:control-plane [-- PATTERN …]

Builds a real control plane if necessary, which requires Go. Runs the tests for both servers, and the tests for a control plane, on the
control plane. With patterns, runs only the test files whose path contains one of the patterns.

The contract tests and the tests of kubectl do not depend on the packages under test. Without patterns, their results are taken from the cache
of the control plane if all of them passed on this control plane and their sources have not changed.

Options:
  -h, --help  print this help`);

/** Tests in the folders of `suites` that are excluded, because they need no server or start the embedded API server themselves. */
const elsewhere = [
  'examples/examples',
  'generated/crd-goldens',
  'generated/manifest-goldens',
  'generated/rbac-merging',
].map((name) => join('test', `${name}.test.ts`));
const suites = ['contract', 'conformance', 'control-plane', 'examples', 'generated', 'kubectl', 'refusals'].map(
  (folder) => join('test', folder) + sep,
);

/** The only test in test/server that runs on a control plane. */
const restoring = join('test', 'server', 'pool', 'initial-state.test.ts');

setUp();
const patterns = process.argv.slice(2);
removeResults('control-plane');
const folder = buildControlPlane();
const controllerRuntimeTests = buildControllerRuntimeTests();
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
  // A pattern requests a run, even if the results are recorded.
  const recorded = patterns.length === 0 ? await recordedResults(folder) : new Map();
  const prefixes = [...recorded.keys()];
  const files = chosen.filter((path) => !prefixes.some((prefix) => path.split(sep).join('/').startsWith(prefix)));
  const environment = {
    KUBEWRIGHT_CONTROL_PLANE: folder,
    KUBEWRIGHT_CONTROLLER_RUNTIME_TESTS: controllerRuntimeTests,
    KUBEWRIGHT_TEST_SERVER: 'control-plane',
  };
  const pool = await startPool({ GOGC: goGarbage, ...process.env, ...environment });
  process.exitCode = runTests(longestFirst(files, longestOnControlPlane), {
    results: 'control-plane',
    inOrder: true,
    // Tests wait longer on a control plane, so more and smaller processes are faster.
    filesPerProcess: 12,
    concurrency: Math.max(2, availableParallelism()) + 2,
    environment: { ...environment, KUBEWRIGHT_CONTROL_PLANE_POOL: pool.socket },
  });
  await pool.stop();
  console.log(`control plane: ran ${files.length} test files in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  const results = readResults('control-plane');
  for (const [prefix, tests] of recorded) {
    console.log(
      `control plane: took the results of ${tests.length} tests from the cache; to run them: npm run test:control-plane -- ${prefix}`,
    );
  }
  if (results !== undefined) {
    await recordResults(folder, results, testFiles(isRecorded));
    writeResults('control-plane', { files: chosen, tests: [...results.tests, ...[...recorded.values()].flat()] });
  }
}
